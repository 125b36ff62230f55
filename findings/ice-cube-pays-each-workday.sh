#!/usr/bin/env bash
# ice_cube 0.16.4 for Ruby (Debian 12: ruby-ice-cube), Schedule.from_ical, which reads the schedules of calendars.
# Expected: as its documentation says, it "supports partial serialization to/from ICAL", with time zones as what is
# missing. The last workday of each month, which calendars write as BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1, is twelve days of
# a year, or it is refused, as BYWEEKNO is: "Invalid rule validation type".
# Really: BYSETPOS is read and left out. The last workday is each workday, the first Monday of a quarter each Monday of
# its month, and the rule that it writes again has no BYSETPOS. A month after 31 January is 28 February, though by RFC
# 5545 such a month has none. -1FR, the last Friday, is right, and so are 31 and -1 as days of the month. Nothing is
# said.
# What follows: a payout on the last workday is made on each of 20 to 23 days. Write the day as -1FR or -1 where that
# will do, and look at the next times before a schedule is taken over. This service takes a due time for each batch,
# and no rule.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get -qq download ruby-ice-cube=0.16.4-3 ruby3.1 libruby3.1 libyaml-0-2 libgmp10 libcrypt1 2>/dev/null
for package in *.deb; do dpkg-deb -x "$package" .; done
LD_LIBRARY_PATH=$(echo "$dir"/usr/lib/*-linux-gnu)
export LD_LIBRARY_PATH TZ=UTC
cat >times.rb <<'RUBY'
require "ice_cube"
days = "BYDAY=MO,TU,WE,TH,FR"
["#{days};BYSETPOS=-1", "BYMONTH=1,4,7,10;BYDAY=MO;BYSETPOS=1", "BYDAY=-1FR", "BYMONTHDAY=-1", "BYMONTHDAY=31",
 "BYWEEKNO=20"].each do |rule|
  schedule = IceCube::Schedule.from_ical("DTSTART:20270104T090000Z\nRRULE:FREQ=MONTHLY;#{rule}\n")
  times = schedule.occurrences(Time.utc(2028, 1, 3)).map { |time| time.strftime("%d.%m.") }
  puts "#{rule}: #{times.size} times, #{times.take(4).join(" ")} (#{schedule.rrules.first.to_ical})"
rescue ArgumentError => error
  puts "#{rule}: #{error.message}"
end
monthly = IceCube::Schedule.from_ical("DTSTART:20270131T090000Z\nRRULE:FREQ=MONTHLY\n")
puts "from 31 January: #{monthly.first(3).map { |time| time.strftime("%d.%m.") }.join(" ")}"
RUBY
include=(-I usr/lib/ruby/3.1.0 -I "$(echo usr/lib/*-linux-gnu/ruby/3.1.0)")
gem=usr/share/rubygems-integration/all/gems/ice_cube-0.16.4/lib
seen=$(usr/bin/ruby3.1 -W0 --disable-gems "${include[@]}" -I $gem -r set -r date times.rb 2>&1 || true)
wanted='BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1: 260 times, 04.01. 05.01. 06.01. 07.01. (FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR)
BYMONTH=1,4,7,10;BYDAY=MO;BYSETPOS=1: 16 times, 04.01. 11.01. 18.01. 25.01. (FREQ=MONTHLY;BYMONTH=1,4,7,10;BYDAY=MO)
BYDAY=-1FR: 12 times, 29.01. 26.02. 26.03. 30.04. (FREQ=MONTHLY;BYDAY=-1FR)
BYMONTHDAY=-1: 12 times, 31.01. 28.02. 31.03. 30.04. (FREQ=MONTHLY;BYMONTHDAY=-1)
BYMONTHDAY=31: 7 times, 31.01. 31.03. 31.05. 31.07. (FREQ=MONTHLY;BYMONTHDAY=31)
BYWEEKNO=20: Invalid rule validation type: BYWEEKNO
from 31 January: 31.01. 28.02. 31.03.'
[ "$seen" = "$wanted" ] || { printf 'The times were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: to ice_cube, the last workday of a month is each workday"
