#!/usr/bin/env bash
# fugit 1.5.2 for Ruby (Debian 12), which rufus-scheduler and others read their times with: Fugit.parse and Fugit::Nat.
# Expected: "every 48 hours" is every second day and "every 90 minutes" comes 16 times a day, or they are refused, as
# "every 2 weeks" is (nil). Its documentation shows that "every 3 hours" becomes the cron line 0 */3 * * *.
# Really: any number becomes such a step, also one that its field does not have. */48 in a field of 24 hours is the
# first one only, so "every 48 hours" and "every 36 hours" are each midnight, "every 90 minutes" is each hour, and
# "every 40 days" is the 1st of each month. Nothing is said, and the object's `original` shows the line as it was made.
# Numbers that fit, such as 12 hours, are right.
# What follows: a payout every 48 hours is made each day, so it pays twice as much. Write such times as a duration ("2d")
# with rufus' `every`, or as a cron line, and look at the next times first.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get -qq download ruby-fugit=1.5.2-1 ruby-et-orbi=1.2.2-1 ruby-raabro=1.4.0-1 ruby-tzinfo ruby-concurrent \
  ruby3.1 libruby3.1 libyaml-0-2 libgmp10 libcrypt1 rubygems-integration tzdata 2>/dev/null
for package in *.deb; do dpkg-deb -x "$package" .; done
LD_LIBRARY_PATH=$(echo "$dir"/usr/lib/*-linux-gnu)
export LD_LIBRARY_PATH TZ=UTC
cat >times.rb <<'RUBY'
require "fugit"
texts = ["12 hours", "36 hours", "48 hours", "90 minutes", "40 days", "2 weeks"]
texts.map { |number| "every #{number}" }.each do |text|
  time = EtOrbi.make_time("2026-11-30 12:00:00 UTC")
  cron = Fugit.parse(text)
  unless cron.is_a?(Fugit::Cron)
    puts "#{text}: no cron"
    next
  end
  times = (1..3).map { (time = cron.next_time(time)).strftime("%d.%m. %H:%M") }
  puts "#{text}: #{cron.original} = #{times.join(", ")}"
end
RUBY
include=(-I usr/lib/ruby/3.1.0 -I "$(echo usr/lib/*-linux-gnu/ruby/3.1.0)")
gems=usr/share/rubygems-integration/all/gems
for folder in "$gems"/*/lib "$gems"/*/lib/concurrent-ruby; do
  include+=(-I "$folder")
done
seen=$(usr/bin/ruby3.1 --disable-gems "${include[@]}" -I usr/lib/ruby/vendor_ruby times.rb 2>&1 || true)
wanted='every 12 hours: 0 */12 * * * = 01.12. 00:00, 01.12. 12:00, 02.12. 00:00
every 36 hours: 0 */36 * * * = 01.12. 00:00, 02.12. 00:00, 03.12. 00:00
every 48 hours: 0 */48 * * * = 01.12. 00:00, 02.12. 00:00, 03.12. 00:00
every 90 minutes: */90 * * * * = 30.11. 13:00, 30.11. 14:00, 30.11. 15:00
every 40 days: 0 0 */40 * * = 01.12. 00:00, 01.01. 00:00, 01.02. 00:00
every 2 weeks: no cron'
[ "$seen" = "$wanted" ] || { printf 'fugit said\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: fugit runs every 48 hours daily, and every 90 minutes hourly"
