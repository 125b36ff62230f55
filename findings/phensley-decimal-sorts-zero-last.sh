#!/usr/bin/env bash
# @phensley/decimal 1.14.0 from npm, whose compare answers -1, 0 or 1. big.js 7.0.1 beside it.
# Expected: 0 is less than 0.5, and -3 less than -2.5.
# Really: 0 is more than each amount below 1, and less than 1: it counts as a number with a digit before the
# point. And -3 is more than -2.5, though less than -2: negative amounts are in the order of positive ones if
# they have as many digits before the point and not as many behind it. All others are right.
# What follows: an empty account has more than 0.5, and a sorted list is not sorted. Take the sign of the
# difference instead.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts @phensley/decimal@1.14.0 \
  big.js@7.0.1 >/dev/null
cat >"$dir/compare.cjs" <<'JS'
const { Decimal } = require("@phensley/decimal");
const Big = require("big.js");
const zeros = [["0", "0.5"], ["0.00", "0.25"], ["0", "1"]];
const pairs = [...zeros, ["-3", "-2.5"], ["-2.675", "-1.5"], ["-3", "-2"], ["1.5", "3"]];
for (const [one, other] of pairs) {
  const difference = new Decimal(one).subtract(other).signum();
  console.log(one, other, new Decimal(one).compare(other), difference, new Big(one).cmp(other));
}
const sorted = ["0.25", "-3", "0", "2", "-2.5"].sort((one, other) => new Decimal(one).compare(other));
console.log(sorted.join(" "));
JS
seen=$(node "$dir/compare.cjs")
wanted='0 0.5 1 -1 -1
0.00 0.25 1 -1 -1
0 1 -1 -1 -1
-3 -2.5 1 -1 -1
-2.675 -1.5 1 -1 -1
-3 -2 -1 -1 -1
1.5 3 -1 -1 -1
-2.5 -3 0.25 0 2'
[ "$seen" = "$wanted" ] || { printf 'It answered\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: to @phensley/decimal, 0 is more than 0.5, and -3 more than -2.5"
