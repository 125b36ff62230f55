#!/usr/bin/env bash
# bigdecimal 0.6.1 from npm, Java's BigDecimal for JavaScript. big.js 7.0.1 beside it.
# Expected: compareTo is -1 for 0.05 and 0.0702, and 0 for 0.01 and 0.0100. Its documentation says that it is
# "exactly like the Java 1.5" classes.
# Really: both are 1. Of two amounts between 0 and 0.1, the one with fewer decimals is often the greater one,
# and so it is to min and max. With as many decimals, from 0.1 on, and below zero all are right, and so are
# differences.
# What follows: 0.05 points are enough for 0.0702, and sorted shares are not sorted. Take the sign of the
# difference, or give both as many decimals by setScale.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts bigdecimal@0.6.1 \
  big.js@7.0.1 >/dev/null
cat >"$dir/compare.cjs" <<'JS'
const Big = require("big.js");
const { BigDecimal } = require("bigdecimal");
const pairs = [["0.05", "0.0702"], ["0.0702", "0.05"], ["0.01", "0.0100"], ["0.000532", "0.0022318"],
  ["0.0500", "0.0702"], ["-0.05", "-0.0702"], ["0.5", "0.702"], ["5", "7.02"]];
for (const [left, right] of pairs) {
  const [one, other] = [BigDecimal(left), BigDecimal(right)];
  const answers = [one.compareTo(other), one.max(other), one.subtract(other).signum(), Big(left).cmp(right)];
  console.log(left, right, ...answers.map(String));
}
JS
seen=$(cd "$dir" && node compare.cjs)
wanted='0.05 0.0702 1 0.05 -1 -1
0.0702 0.05 -1 0.05 1 1
0.01 0.0100 1 0.01 0 0
0.000532 0.0022318 1 0.000532 -1 -1
0.0500 0.0702 -1 0.0702 -1 -1
-0.05 -0.0702 1 -0.05 1 1
0.5 0.702 -1 0.702 -1 -1
5 7.02 -1 7.02 -1 -1'
[ "$seen" = "$wanted" ] || { printf 'The answers were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: to bigdecimal, 0.05 is more than 0.0702"
