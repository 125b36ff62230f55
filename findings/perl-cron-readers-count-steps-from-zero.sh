#!/usr/bin/env bash
# Readers of cron lines for Perl (Debian 12): Schedule::Cron::Events 1.96, which computes when a line of cron runs, and
# Schedule::Cron 1.05, which runs jobs itself. Set::Crontab 1.03, which the first one reads with, is beside them.
# Expected: as by crontab(5), which both name, */10 is every tenth day from the first one on: the 1st, 11th, 21st and
# 31st. As months, */5 is January, June and November.
# Really: days and months are counted from 0. To the first one these are the 10th, 20th and 30th, and May and October.
# To Schedule::Cron they are these and the 1st, and these and January. Set::Crontab by itself is right, and so is a
# range, 1-31/10, in each, and steps of minutes, hours and days of the week. Nothing is refused.
# What follows: a page that shows when cron pays next shows other days, and a job that moves from cron to Perl pays on
# them. Write a list, or a range with a step. The crontabs of deploy.md have steps in no day.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get -qq download libset-crontab-perl=1.03-1.1 libschedule-cron-events-perl=1.96-2 libschedule-cron-perl=1.05-1 \
  libtime-parsedate-perl 2>/dev/null
for package in *.deb; do dpkg-deb -x "$package" .; done
export PERL5LIB="$dir/usr/share/perl5" TZ=UTC
cat >days.pl <<'PERL'
use strict;
use Set::Crontab;
use Schedule::Cron;
use Schedule::Cron::Events;
use POSIX qw(mktime strftime);

my $start = mktime(59, 59, 23, 31, 11, 126);
for my $days ("*/10 *", "1-31/10 *", "1 */5") {
    my ($day, $month) = split " ", $days;
    my @list = Set::Crontab->new($month eq "*" ? $day : $month, $month eq "*" ? [1 .. 31] : [1 .. 12])->list;
    print "$days: @list\n";
    my $events = Schedule::Cron::Events->new("0 9 $days * pay", Seconds => $start);
    print "  events ", join(", ", map { strftime("%d.%m.", $events->nextEvent) } 1 .. 4), "\n";
    my ($cron, $time) = (Schedule::Cron->new(sub { }), $start);
    my @times = map { $time = $cron->get_next_execution_time("0 9 $days *", $time) } 1 .. 4;
    print "  cron ", join(", ", map { strftime("%d.%m.", localtime $_) } @times), "\n";
}
PERL
seen=$(perl days.pl 2>&1)
wanted='*/10 *: 1 11 21 31
  events 10.01., 20.01., 30.01., 10.02.
  cron 01.01., 10.01., 20.01., 30.01.
1-31/10 *: 1 11 21 31
  events 01.01., 11.01., 21.01., 31.01.
  cron 01.01., 11.01., 21.01., 31.01.
1 */5: 1 6 11
  events 01.05., 01.10., 01.05., 01.10.
  cron 01.01., 01.05., 01.10., 01.01.'
[ "$seen" = "$wanted" ] || { printf 'The days were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: every tenth day of a month is the 10th, 20th and 30th in Perl"
