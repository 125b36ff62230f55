#!/usr/bin/env bash
# percent-round 2.3.1 from npm, which makes whole percentages of a list that add up to 100.
# Expected: each is the next whole one above or below its exact share, as by the method of largest remainders, which
# is beside it. Its documentation promises the sum, and gives close examples.
# Really: what is missing for 100 goes to the share that rounding has changed most, also if it was rounded up. 28.50
# is raised to 29, and then to 30, while 50.40 stays 50 and 0.40 is 0. Where too much was given, a share that was
# rounded down is lowered again, such as 71.42 to 70. The sum is always 100, and lists of a few shares are mostly
# right.
# What follows: of a pot of 1000 by these shares, one gets 300 instead of 285. Divide the pot itself, and give out
# what is left by remainders.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts percent-round@2.3.1 >/dev/null
cat >"$dir/round.mjs" <<'JS'
import percentRound from "percent-round";
const largest = (list) => {
  const total = list.reduce((sum, share) => sum + share);
  const exact = list.map((share) => 100 * share);
  const parts = exact.map((share, at) => ({ at, part: Math.floor(share / total), rest: share % total }));
  const left = 100 - parts.reduce((sum, { part }) => sum + part, 0);
  for (const one of parts.toSorted((a, b) => b.rest - a.rest || a.at - b.at).slice(0, left)) one.part += 1;
  return parts.map(({ part }) => part);
};
for (const list of [[1, 1, 1], [285, 203, 504, 4, 4], [674, 301, 13400, 3700, 687]])
  console.log(list.join(), "|", percentRound(list).join(), "|", largest(list).join());
JS
seen=$(cd "$dir" && node round.mjs)
wanted='1,1,1 | 34,33,33 | 34,33,33
285,203,504,4,4 | 30,20,50,0,0 | 29,20,51,0,0
674,301,13400,3700,687 | 4,2,70,20,4 | 3,2,71,20,4'
[ "$seen" = "$wanted" ] || { printf 'The percentages were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: percent-round makes 30 percent of 28.5"
