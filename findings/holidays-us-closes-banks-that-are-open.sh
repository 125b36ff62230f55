#!/usr/bin/env bash
# @date/holidays-us 0.4.0 from npm, the days on which banks of the United States are closed.
# Expected: as its documentation says, bank() has the bank holidays. Banks pay as the Federal Reserve Banks do, which say
# when they are closed: on the Monday after a holiday on a Sunday, and not on the Friday before one on a Saturday.
# Really: the Friday is a holiday of banks, such as 3 July 2026 and 24 December 2027, except before New Year's Day.
# Juneteenth, 19 June, is none, though it has been one since 2021. All other days of 2026 to 2028 are right, the Mondays
# after Sundays too, so a test with Christmas of a usual year shows nothing.
# What follows: a payout that waits for a day on which banks pay is made on Juneteenth, and then is late, while money for
# 3 July 2026 comes three days after it could. Take the list of the Federal Reserve Banks. Here, who submits a batch says
# when it is due (finalizeAt in docs/api.md).
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts @date/holidays-us@0.4.0 >/dev/null
cat >"$dir/closed.cjs" <<'JS'
const banks = require("@date/holidays-us").bank();
// From Monday to Friday, as the Federal Reserve Banks list them. 4 July 2026, 19 June and 25 December 2027, and 1 January
// and 11 November 2028 are Saturdays. 4 July 2027 is a Sunday.
const CLOSED = {
  2026: "1-1 1-19 2-16 5-25 6-19 9-7 10-12 11-11 11-26 12-25",
  2027: "1-1 1-18 2-15 5-31 7-5 9-6 10-11 11-11 11-25",
  2028: "1-17 2-21 5-29 6-19 7-4 9-4 10-9 11-23 12-25",
};
for (const [year, closed] of Object.entries(CLOSED)) {
  const wanted = closed.split(" ");
  const seen = [];
  for (let day = new Date(Number(year), 0, 1); day.getFullYear() === Number(year); day.setDate(day.getDate() + 1))
    if (day.getDay() % 6 !== 0 && banks.isHoliday(day)) seen.push(`${day.getMonth() + 1}-${day.getDate()}`);
  const [more, less] = [[seen, wanted], [wanted, seen]].map(([one, other]) => one.filter((day) => !other.includes(day)));
  console.log(`${year}: ${wanted.length} days, more: ${more.join(" ") || "none"}, left out: ${less.join(" ") || "none"}`);
}
JS
seen=$(cd "$dir" && node closed.cjs)
wanted='2026: 10 days, more: 7-3, left out: 6-19
2027: 9 days, more: 12-24, left out: none
2028: 9 days, more: none, left out: 6-19'
[ "$seen" = "$wanted" ] || { printf 'The days were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: @date/holidays-us closes banks on Fridays before Saturdays, and opens them on 19 June"
