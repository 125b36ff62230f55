#!/usr/bin/env bash
# @cheap-glitch/mi-cron 1.0.1 from npm, nextDate. croner 11.0.1 beside it.
# Expected: jan,jul are the months 1 and 7, and a month without a 31st has no time for `0 9 31 * *`.
# Really: names of months count from 0. jul is June, and jan is December, after which the same moment is the
# next one for ever. The 31st of February is 3 March, the 31st of April 1 May, and the 29th of February, in
# most years, 1 March. Months as numbers and days by name are right.
# What follows: a payout on the last day of long months runs twice in March. Write months as numbers, and no
# day after the 28th.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts @cheap-glitch/mi-cron@1.0.1 \
  croner@11.0.1 >/dev/null
cat >next.mjs <<'JS'
import { parseCron } from "@cheap-glitch/mi-cron";
import { Cron } from "croner";

const START = new Date("2026-01-15T00:00:00Z");
for (const text of ["0 9 1 1,7 *", "0 9 1 jan,jul *", "0 9 31 * *", "0 9 29 2 *"]) {
  const times = [START];
  while (times.length < 5) times.push(parseCron.nextDate(text, times.at(-1)));
  const others = new Cron(text, { timezone: "UTC" }).nextRuns(4, START);
  for (const list of [times.slice(1), others])
    console.log(text, list.map((time) => time.toISOString().slice(0, 10)).join(" "));
}
JS
seen=$(TZ=UTC node next.mjs)
wanted='0 9 1 1,7 * 2026-07-01 2027-01-01 2027-07-01 2028-01-01
0 9 1 1,7 * 2026-07-01 2027-01-01 2027-07-01 2028-01-01
0 9 1 jan,jul * 2026-06-01 2026-12-01 2026-12-01 2026-12-01
0 9 1 jan,jul * 2026-07-01 2027-01-01 2027-07-01 2028-01-01
0 9 31 * * 2026-01-31 2026-03-03 2026-03-31 2026-05-01
0 9 31 * * 2026-01-31 2026-03-31 2026-05-31 2026-07-31
0 9 29 2 * 2026-03-01 2027-03-01 2028-02-29 2029-03-01
0 9 29 2 * 2028-02-29 2032-02-29 2036-02-29 2040-02-29'
[ "$seen" = "$wanted" ] || { printf 'The days were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: mi-cron takes July for June, and the 31st of February for 3 March"
