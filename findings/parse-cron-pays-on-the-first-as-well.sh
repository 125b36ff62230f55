#!/usr/bin/env bash
# parse-cron 0.1.4 for Ruby (Debian 12: ruby-parse-cron), which is there to "determine when the job should be run".
# Expected: as by crontab(5), the 31st of each month is seven days of a year, 29 February a day of each fourth year,
# and fri-sun, if names of days are taken in ranges at all, Friday to Sunday.
# Really: a month that does not have the day gets its first one instead: the 31st is also 1 February, 1 April, 1 June,
# 1 September and 1 November, and 29 February is 1 February in the years between. fri-sun, which it reads as 5-0, is no
# day, and so the first of each month. Nothing is refused. Days up to the 28th, fri,sat,sun, 5-7 and both kinds of days
# together are right.
# What follows: a payout at the end of long months is made again a day later, or at the beginning of a short one. Write
# the 28th, or all of 28-31 and look at the next day, and lists instead of ranges that end with sun. The crontabs of
# deploy.md have only stars there.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get -qq download ruby-parse-cron=0.1.4-1.1 ruby3.1 libruby3.1 libyaml-0-2 libgmp10 libcrypt1 2>/dev/null
for package in *.deb; do dpkg-deb -x "$package" .; done
LD_LIBRARY_PATH=$(echo "$dir"/usr/lib/*-linux-gnu)
export LD_LIBRARY_PATH TZ=UTC
cat >times.rb <<'RUBY'
require "parse-cron"
["31 *", "29 2", "* * fri-sun", "* * fri,sat,sun", "* * 5-7", "28 *", "13 * fri"].each do |days|
  cron = CronParser.new("0 9 #{days}#{" *" if days.split.size < 3}")
  time = Time.utc(2026, 12, 1)
  times = (1..12).map { (time = cron.next(time)).strftime("%d.%m.") }
  puts "#{days}: #{times.join(" ")}"
end
RUBY
include=(-I usr/lib/ruby/3.1.0 -I "$(echo usr/lib/*-linux-gnu/ruby/3.1.0)" -I usr/lib/ruby/vendor_ruby)
seen=$(usr/bin/ruby3.1 -W0 --disable-gems "${include[@]}" times.rb 2>&1 || true)
wanted='31 *: 31.12. 31.01. 01.02. 31.03. 01.04. 31.05. 01.06. 31.07. 31.08. 01.09. 31.10. 01.11.
29 2: 29.02. 01.02. 01.02. 01.02. 29.02. 01.02. 01.02. 01.02. 29.02. 01.02. 01.02. 01.02.
* * fri-sun: 01.01. 01.02. 01.03. 01.04. 01.05. 01.06. 01.07. 01.08. 01.09. 01.10. 01.11. 01.12.
* * fri,sat,sun: 04.12. 05.12. 06.12. 11.12. 12.12. 13.12. 18.12. 19.12. 20.12. 25.12. 26.12. 27.12.
* * 5-7: 04.12. 05.12. 06.12. 11.12. 12.12. 13.12. 18.12. 19.12. 20.12. 25.12. 26.12. 27.12.
28 *: 28.12. 28.01. 28.02. 28.03. 28.04. 28.05. 28.06. 28.07. 28.08. 28.09. 28.10. 28.11.
13 * fri: 04.12. 11.12. 13.12. 18.12. 25.12. 01.01. 08.01. 13.01. 15.01. 22.01. 29.01. 05.02.'
[ "$seen" = "$wanted" ] || { printf 'The days were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: to parse-cron, the 31st of February is the 1st"
