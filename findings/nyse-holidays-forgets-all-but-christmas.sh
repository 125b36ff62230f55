#!/usr/bin/env bash
# nyse-holidays 1.2.0 from npm, the days on which the stock exchange of New York is closed, with dayjs 1.11.23.
# Expected: as its documentation says, isHoliday knows these days, and getHolidays has each with its dateString, such as
# 2026-11-26. What another file of the program does with dayjs is its own business.
# Really: days are written without zeros, such as 2026-7-4, and read with the format YYYY-MM-DD, which dayjs ignores until
# somebody in the program loads its plugin customParseFormat, which is for all. From then on such a day is none: its
# dateString is "Invalid Date", and isHoliday says false. What is left is Christmas, as 12-25 has no zeros. Nothing is
# said. The plugin comes with packages as well, such as business-days-js 2.3.0.
# What follows: a payout that waits for a day on which the exchange is open is made on Thanksgiving, once another file of
# the program reads dates. Ask for the years' lists at the start, before the plugin is loaded. Here, who submits a batch
# says when it is due (finalizeAt in docs/api.md).
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts nyse-holidays@1.2.0 dayjs@1.11.23 >/dev/null
cat >"$dir/days.cjs" <<'JS'
const dayjs = require("dayjs");
const customParseFormat = require("dayjs/plugin/customParseFormat");
const { getHolidays, isHoliday } = require("nyse-holidays");
const THANKSGIVING = new Date(2026, 10, 26);
const print = (name) => {
  const days = getHolidays(2026).map(({ dateString }) => dateString.replace("2026-", ""));
  console.log(`${name}: ${isHoliday(THANKSGIVING)}, ${days.join(" ")}`);
};
print("before");
dayjs.extend(customParseFormat);
print("after");
JS
seen=$(cd "$dir" && TZ=America/New_York node days.cjs)
wanted='before: true, 01-01 01-19 02-16 04-03 05-25 06-19 07-03 09-07 11-26 12-25
after: false, Invalid Date Invalid Date Invalid Date Invalid Date Invalid Date Invalid Date Invalid Date Invalid Date Invalid Date 12-25'
[ "$seen" = "$wanted" ] || { printf 'The days were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: nyse-holidays does not know Thanksgiving once dayjs has its plugin customParseFormat"
