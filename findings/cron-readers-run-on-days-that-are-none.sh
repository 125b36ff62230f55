#!/usr/bin/env bash
# aws-cron-parser 1.1.12 from npm, for the cron expressions of AWS, and cronosjs 1.7.1. croner 11.0.1 beside them.
# Expected: the 31st of each month is in seven months of a year, and 29 February in leap years. 0-7, which cronosjs'
# documentation gives as what the day of the week may be, is every day, since 0 and 7 are both Sunday.
# Really: to aws-cron-parser, the 31st of November is 1 December, and that of February 3 March, so that the times of
# December are the 1st and the 31st. L, the last day, is right. To cronosjs 0-7 is Sunday only; 1-7, 0-6 and SUN-SAT
# are every day. It has warnings, and none for this.
# What follows: a page says that a payout is due on a day on which AWS runs none, and a daily one is made once a week.
# Write L for the last day, and * for every day.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts aws-cron-parser@1.1.12 cronosjs@1.7.1 \
  croner@11.0.1 >/dev/null
cat >"$dir/next.cjs" <<'JS'
const aws = require("aws-cron-parser");
const { Cron } = require("croner");
const { CronosExpression } = require("cronosjs");
const start = new Date("2026-11-30T12:00:00Z");
const day = (date) => date.toISOString().slice(0, 10);
const show = (name, expression, dates) => console.log(name, expression, dates.map(day).join());
const croner = (line) => show("croner", line, new Cron(line, { timezone: "UTC" }).nextRuns(4, start));
for (const plain of ["0 9 31 * *", "0 9 29 2 *", "0 9 L * *"]) {
  const expression = plain.replace(/\*$/, "? *");
  let at = start;
  show("aws", expression, [1, 2, 3, 4].map(() => (at = aws.next(aws.parse(expression), at))));
  croner(plain);
}
for (const expression of ["0 9 * * 0-7", "0 9 * * 0-6"]) {
  const cronos = CronosExpression.parse(expression, { timezone: "UTC" });
  show(`cronos, warnings: ${cronos.warnings.length},`, expression, cronos.nextNDates(start, 4));
  croner(expression);
}
JS
seen=$(cd "$dir" && TZ=UTC node next.cjs)
wanted='aws 0 9 31 * ? * 2026-12-01,2026-12-31,2027-01-31,2027-03-03
croner 0 9 31 * * 2026-12-31,2027-01-31,2027-03-31,2027-05-31
aws 0 9 29 2 ? * 2027-03-01,2028-02-29,2029-03-01,2030-03-01
croner 0 9 29 2 * 2028-02-29,2032-02-29,2036-02-29,2040-02-29
aws 0 9 L * ? * 2026-12-31,2027-01-31,2027-02-28,2027-03-31
croner 0 9 L * * 2026-12-31,2027-01-31,2027-02-28,2027-03-31
cronos, warnings: 0, 0 9 * * 0-7 2026-12-06,2026-12-13,2026-12-20,2026-12-27
croner 0 9 * * 0-7 2026-12-01,2026-12-02,2026-12-03,2026-12-04
cronos, warnings: 0, 0 9 * * 0-6 2026-12-01,2026-12-02,2026-12-03,2026-12-04
croner 0 9 * * 0-6 2026-12-01,2026-12-02,2026-12-03,2026-12-04'
[ "$seen" = "$wanted" ] || { printf 'The days were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: aws-cron-parser has a 31st of November, and to cronosjs 0-7 is Sunday"
