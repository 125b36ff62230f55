#!/usr/bin/env bash
# money-math 2.6.3 from npm, which calculates with amounts such as "-3.33" as texts.
# Expected: a product of a negative amount is that of the positive one with a minus: -3.33 × 0.33 is -1.10,
# since 3.33 × 0.33 is 1.10. The same holds for quotients and percentages.
# Really: it is -1.08. What is cut off is rounded by adding a cent, also below zero, where it should be taken
# away. Where the result is less than a cent, the minus is lost: -0.05 × 0.10 is 0.01, and 1.00 percent of
# -0.50 is 0.01. Without a remainder of half a cent or more, results are right.
# What follows: the share of an amount that is taken back does not cancel the share that was paid. Multiply
# the positive amount, and put the sign on afterwards.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts money-math@2.6.3 >/dev/null
cat >"$dir/multiply.cjs" <<'JS'
const { div, mul, percent } = require("money-math");
for (const [calculate, amount, by] of [
  [mul, "3.33", "0.33"],
  [mul, "0.05", "0.10"],
  [mul, "10.00", "0.25"],
  [div, "2.00", "3.00"],
  [percent, "0.50", "1.00"],
])
  console.log(amount, by, calculate(amount, by), calculate(`-${amount}`, by));
JS
seen=$(node "$dir/multiply.cjs")
wanted='3.33 0.33 1.10 -1.08
0.05 0.10 0.01 0.01
10.00 0.25 2.50 -2.50
2.00 3.00 0.67 -0.65
0.50 1.00 0.01 0.01'
[ "$seen" = "$wanted" ] || { printf 'The results were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: money-math rounds negative products, quotients and percentages by a cent the wrong way"
