#!/usr/bin/env bash
# bi-fraction 1.2.1 from npm: exact fractions, toFixed with a rounding mode, and toPrecision. big.js 7.0.1 beside it.
# Expected: ROUND_HALF_EVEN and its like are about what is exactly halfway, "as in bignumber.js and decimal.js":
# 0.9057 is nearer to 0.91 than to 0.90 in each of them. toPrecision gives back a negative amount as one.
# Really: only the first digit that is left out is looked at. If it is 5, that counts as halfway, whatever is behind
# it: to even, 0.9057 is 0.90, and 2.51 is 2. Of amounts with four decimals, one of 22 is wrong with two, by a whole
# cent, and always too near to zero. ROUND_HALF_UP, the default, is right. toPrecision(3) of -123456 is 123000: where
# zeros take the place of digits, the minus is lost. -123.456 is -123.
# What follows: shares that were rounded to even, so as to favor nobody, are rounded down where they should not be.
# Use toFixed with the default.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts bi-fraction@1.2.1 big.js@7.0.1 >/dev/null
cat >"$dir/round.cjs" <<'JS'
const Big = require("big.js");
const { Fraction, RoundingMode } = require("bi-fraction");
const modes = ["EVEN", "DOWN", "CEIL", "FLOOR", "UP"].map((mode) => RoundingMode[`ROUND_HALF_${mode}`]);
const round = (amount, places, roundingMode) => new Fraction(amount).toFixed(places, { roundingMode });
for (const [amount, places] of [["0.9057", 2], ["2.51", 0], ["-2.51", 0], ["4.066", 2], ["4.065", 2]])
  console.log(amount, ...modes.map((mode) => round(amount, places, mode)), new Big(amount).toFixed(places, 2));
const amounts = Array.from({ length: 10000 }, (_, at) => (at / 10000).toFixed(4));
const isWrong = (amount) => round(amount, 2, RoundingMode.ROUND_HALF_EVEN) !== new Big(amount).toFixed(2, 2);
console.log(amounts.filter(isWrong).length);
console.log(...["123456", "-123456", "-1234567.5", "-123.456"].map((amount) => new Fraction(amount).toPrecision(3)));
JS
seen=$(cd "$dir" && node round.cjs)
wanted='0.9057 0.90 0.90 0.91 0.90 0.91 0.91
2.51 2 2 3 2 3 3
-2.51 -2 -2 -2 -3 -3 -3
4.066 4.07 4.07 4.07 4.07 4.07 4.07
4.065 4.06 4.06 4.07 4.06 4.07 4.06
450
123000 123000 1230000 -123'
[ "$seen" = "$wanted" ] || { printf 'The amounts were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: bi-fraction rounds 0.9057 half even to 0.90"
