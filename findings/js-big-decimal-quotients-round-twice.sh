#!/usr/bin/env bash
# js-big-decimal 2.2.0 from npm, divide and round. big.js 7.0.1 beside it.
# Expected: a quotient is rounded half to even, as its documentation says: to the nearer one, and to the even
# one from exactly halfway.
# Really: it is cut two digits behind the last one first. So 1 / 7.995, which is 0.12507…, is cut to 0.1250,
# counts as halfway, and becomes 0.12 instead of 0.13. With ten decimals it is right, and so is round() of a
# longer quotient. One quotient in a hundred has 50 there, and half of these are wrong, always by one unit
# too near to zero.
# What follows: shares that it makes add up to less than they should, seldom enough to pass a test. Divide to
# more digits than are needed, and round afterwards.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts js-big-decimal@2.2.0 \
  big.js@7.0.1 >/dev/null
cat >"$dir/divide.cjs" <<'JS'
const Big = require("big.js");
const loaded = require("js-big-decimal");
const { divide, round } = loaded.default ?? loaded;

const HALF_EVEN = 2;
Big.DP = 40;
const exact = (one, other, digits) => new Big(one).div(other).round(digits, HALF_EVEN).toFixed(digits);
const divisions = [["1", "7.995", 2], ["1", "7.995", 10], ["1", "8", 2], ["1.5", "10.01", 10]];
for (const [one, other, digits] of divisions) {
  const longer = divide(one, other, 40);
  console.log(one, other, divide(one, other, digits), round(longer, digits), exact(one, other, digits));
}
let wrong = 0;
for (let whole = 1; whole <= 10000; whole++)
  if (divide(String(whole), "7919", 6) !== exact(String(whole), "7919", 6)) wrong++;
console.log("wrong:", wrong, "of 10000");
JS
seen=$(cd "$dir" && node divide.cjs)
wanted='1 7.995 0.12 0.13 0.13
1 7.995 0.1250781739 0.1250781739 0.1250781739
1 8 0.12 0.12 0.12
1.5 10.01 0.1498501498 0.1498501499 0.1498501499
wrong: 48 of 10000'
[ "$seen" = "$wanted" ] || { printf 'The quotients were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: js-big-decimal takes 0.12507 for halfway between 0.12 and 0.13"
