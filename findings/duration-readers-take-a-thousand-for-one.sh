#!/usr/bin/env bash
# Readers of durations: human-interval 2.0.1 from npm, which agenda and Bree read their times with, timestring 7.0.0
# from npm, and Time::Duration::Parse 0.16 for Perl (Debian 12: libtime-duration-parse-perl).
# Expected: human-interval's documentation says that "numbers being written out in English words" are supported, and
# shows commas between parts, "3 days, 4 hours". So two thousand minutes are 2000 of them, and 1,000 minutes are 1000,
# or they are refused. A minus, which timestring reads before a number, counts.
# Really: human-interval takes each "and" away, also that in thousand, and does not know what is left: two thousand
# minutes are two. A comma is a space, and of "1 000" the 1 is read, so that 1,000 minutes are one. Of 500 milliseconds
# it finds the second, and they are 500 seconds. To Time::Duration::Parse a comma is a decimal point: 1,000 minutes are
# one as well. timestring leaves the comma out, which is right there, but 1,5 hours are 15, and -2 minutes are 2.
# Nothing is refused. Numbers below a thousand, and 1000 minutes, are right in each.
# What follows: agenda.every("two thousand minutes") pays every two minutes. Write digits, and no comma. This service
# takes seconds (secondsToFinalize in docs/api.md).
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts human-interval@2.0.1 \
  timestring@7.0.0 >/dev/null
apt-get -qq download libtime-duration-parse-perl=0.16-1 2>/dev/null
dpkg-deb -x ./*.deb .
cat >read.cjs <<'JS'
const humanInterval = require("human-interval");
const timestring = require("timestring");

const texts = process.argv.slice(2);
const print = (name, read) => {
  for (const text of texts) {
    let seconds = "refused";
    try {
      seconds = read(text);
    } catch {}
    console.log(`${name}: ${text} are ${seconds}`);
  }
};
print("human-interval", (text) => humanInterval(text) / 1000);
print("timestring", timestring);
JS
cat >read.pl <<'PERL'
use Time::Duration::Parse;
print "Perl: $_ are ", eval { parse_duration($_) } // "refused", "\n" for @ARGV;
PERL
texts=("three hundred minutes" "two thousand minutes" "1000 minutes" "1,000 minutes" "1,5 hours" "-2 minutes"
  "500 milliseconds")
seen="$(node read.cjs "${texts[@]}")
$(PERL5LIB=$dir/usr/share/perl5 perl read.pl "${texts[@]}")"
wanted='human-interval: three hundred minutes are 18000
human-interval: two thousand minutes are 120
human-interval: 1000 minutes are 60000
human-interval: 1,000 minutes are 60
human-interval: 1,5 hours are 3600
human-interval: -2 minutes are -120
human-interval: 500 milliseconds are 500
timestring: three hundred minutes are refused
timestring: two thousand minutes are refused
timestring: 1000 minutes are 60000
timestring: 1,000 minutes are 60000
timestring: 1,5 hours are 54000
timestring: -2 minutes are 120
timestring: 500 milliseconds are 0.5
Perl: three hundred minutes are refused
Perl: two thousand minutes are refused
Perl: 1000 minutes are 60000
Perl: 1,000 minutes are 60
Perl: 1,5 hours are 5400
Perl: -2 minutes are -120
Perl: 500 milliseconds are refused'
[ "$seen" = "$wanted" ] || { printf 'The durations were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: human-interval reads two thousand minutes, and 1,000 minutes, as two and one"
