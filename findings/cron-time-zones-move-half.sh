#!/usr/bin/env bash
# Converters of cron expressions from one time zone to another, from npm: crontzconvert 1.1.1 and
# local-crontab 0.1.8. croner 11.0.1 says when they run.
# Expected: a converted expression runs at the same moments, or the converter says that there is none.
# Really: each field is moved by itself. 12:00 and 23:00 of the 1st, in UTC, become 13:00 and 0:00 of the 1st
# in Lagos, and 0:00 is a day too early. 9:00 and 9:45 in Kolkata become 3:15 and 3:30 in UTC, instead of 3:30
# and 4:15. crontzconvert moves the day only if all hours leave it, and of the evening of the 31st in Phoenix
# it makes the 1st of every month. local-crontab never moves the day. And where summer time begins, it splits
# the month: of "each Monday" in New York it makes lines such as 1-7 3 1, which in cron is each of these days
# and each Monday, so that all of March has it. One moment that stays in its day is right.
# What follows: a payout of the 1st is made in the month before, or each day of March. Convert each moment by
# itself, or give the zone to the scheduler.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts crontzconvert@1.1.1 \
  local-crontab@0.1.8 croner@11.0.1 >/dev/null
cat >"$dir/convert.cjs" <<'JS'
const { Cron } = require("croner");
const { convert } = require("crontzconvert");
const { localCrontabToUtcCrontabs } = require("local-crontab");

const begin = new Date("2027-01-15T00:00:00Z");
const moments = (expression, timezone) => {
  const runs = new Cron(expression, { timezone, paused: true }).nextRuns(2, begin);
  return runs.map((moment) => moment.toISOString().slice(5, 16)).join(" and ");
};
const show = (expression, from, converted, to) => {
  console.log(`${from} ${expression}: ${moments(expression, from)}`);
  console.log(`  ${to} ${converted}: ${moments(converted, to)}`);
};
const convertTo = (expression, from, to) => show(expression, from, convert(expression, from, to), to);
convertTo("0 0 12,23 1 * *", "UTC", "Africa/Lagos");
convertTo("0 0,45 9 * * *", "Asia/Kolkata", "UTC");
convertTo("0 0 20 31 * *", "America/Phoenix", "UTC");
convertTo("0 0 20 1 * *", "America/Phoenix", "UTC");
for (const hour of [9, 20]) {
  const expression = `0 ${hour} 1 * *`;
  show(expression, "America/Phoenix", localCrontabToUtcCrontabs(expression, "America/Phoenix").join(), "UTC");
}
const mondays = localCrontabToUtcCrontabs("0 9 * * 1", "America/New_York");
// The day in March on which summer time begins is that of the current year.
const inMarch = mondays.filter((line) => line.endsWith(" 3 1"));
console.log(inMarch.map((line) => line.replace(/1-\d+ 3|\d+-31 3/, "… 3")).join(", "));
JS
seen=$(cd "$dir" && node convert.cjs)
wanted='UTC 0 0 12,23 1 * *: 02-01T12:00 and 02-01T23:00
  Africa/Lagos 0 0 0,13 1 * *: 01-31T23:00 and 02-01T12:00
Asia/Kolkata 0 0,45 9 * * *: 01-15T03:30 and 01-15T04:15
  UTC 0 15,30 3 * * *: 01-15T03:15 and 01-15T03:30
America/Phoenix 0 0 20 31 * *: 02-01T03:00 and 04-01T03:00
  UTC 0 0 3 1 * *: 02-01T03:00 and 03-01T03:00
America/Phoenix 0 0 20 1 * *: 02-02T03:00 and 03-02T03:00
  UTC 0 0 3 2 * *: 02-02T03:00 and 03-02T03:00
America/Phoenix 0 9 1 * *: 02-01T16:00 and 03-01T16:00
  UTC 0 16 1 * *: 02-01T16:00 and 03-01T16:00
America/Phoenix 0 20 1 * *: 02-02T03:00 and 03-02T03:00
  UTC 0 3 1 * *: 02-01T03:00 and 03-01T03:00
0 14 … 3 1, 0 13 … 3 1'
[ "$seen" = "$wanted" ] || { printf 'The moments were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: crontzconvert and local-crontab move the hour of a time, and not its day"
