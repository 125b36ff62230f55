#!/usr/bin/env bash
# cron-to-quartz 1.4.9 from npm, which writes crontab(5)'s five fields as Quartz's seven.
# Expected: */2 as the day of the week, every second day, stays a step of 2: Quartz has the same sign for it. Only
# days get other numbers, since Quartz counts Sunday as 1.
# Really: each number in that field is raised, the step too: */2 is */3, and */3 is */4. In Quartz, */3 is Sunday,
# Wednesday and Saturday, and */2 of cron is Sunday, Tuesday, Thursday and Saturday. 7, which is Sunday in cron, is
# 8, which is no day. Steps in other fields, and 0 to 6, are right.
# What follows: a payout every second day skips days. Write the days as a list: 0,2,4,6 becomes 1,3,5,7.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts cron-to-quartz@1.4.9 >/dev/null
cat >"$dir/convert.cjs" <<'JS'
const { getQuartz } = require("cron-to-quartz");
for (const cron of ["0 9 * * */2", "0 9 * * */3", "0 9 * * 0,2,4,6", "0 9 * * 1-5", "0 9 * * 7",
  "0 9 */2 * *", "0 */6 * * 1"])
  console.log(cron, "=>", getQuartz(cron).map((fields) => fields.join(" ")).join(" or "));
JS
seen=$(cd "$dir" && node convert.cjs)
wanted='0 9 * * */2 => 0 0 9 ? * */3 *
0 9 * * */3 => 0 0 9 ? * */4 *
0 9 * * 0,2,4,6 => 0 0 9 ? * 1,3,5,7 *
0 9 * * 1-5 => 0 0 9 ? * 2-6 *
0 9 * * 7 => 0 0 9 ? * 8 *
0 9 */2 * * => 0 0 9 */2 * ? *
0 */6 * * 1 => 0 0 */6 ? * 2 *'
[ "$seen" = "$wanted" ] || { printf 'The expressions were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: cron-to-quartz makes every third day of every second"
