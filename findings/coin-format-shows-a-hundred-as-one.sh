#!/usr/bin/env bash
# coin-format 0.0.2 from npm, which converts and shows amounts of coins.
# Expected: as its documentation shows, inAllFormats("1234567.89") has `value` "1234567.89" and `exact` "1234567.89
# ETH", beside the amount in wei, and weiInAllFormats of those wei has the "same output". So 100 is 100.
# Really: zeros at the end are taken away to make 1.50 of it 1.5, also where there is no point. 100 is 1, 1000 is 1, 20
# is 2, and 0 is an empty text, in `value`, in `exact`, and by cleanUpCoinsValue itself. In `nice`, `fixed` and `wei`
# the same amount is right, and so are all of weiInAllFormats. Nothing is said. Amounts with decimals, and whole ones
# that do not end with a zero, are right, so a test with these shows nothing.
# What follows: a page shows that 1 ETH is paid, and 100 are, and a program that pays `value` pays a hundredth. Use
# weiToCoin of coinToWei, which cuts zeros behind the point only. Amounts here are decimals with a point or without.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts coin-format@0.0.2 >/dev/null
cat >"$dir/show.cjs" <<'JS'
const { cleanUpCoinsValue, Coin } = require("coin-format");

const eth = Coin("ETH");
for (const amount of ["1234567.89", "1.50", "100", "1000", "20", "0"]) {
  const { value, exact, nice, wei } = eth.inAllFormats(amount);
  console.log(`${amount}: "${value}", exact "${exact}", nice "${nice}", from wei "${eth.weiInAllFormats(wei).value}"`);
}
console.log(`cleanUpCoinsValue of 5000: ${cleanUpCoinsValue("5000")}`);
JS
seen=$(cd "$dir" && node show.cjs)
wanted='1234567.89: "1234567.89", exact "1234567.89 ETH", nice "1.234M ETH", from wei "1234567.89"
1.50: "1.5", exact "1.5 ETH", nice "1.50 ETH", from wei "1.5"
100: "1", exact "1 ETH", nice "100 ETH", from wei "100"
1000: "1", exact "1 ETH", nice "1000 ETH", from wei "1000"
20: "2", exact "2 ETH", nice "20 ETH", from wei "20"
0: "", exact " ETH", nice "0 ETH", from wei "0"
cleanUpCoinsValue of 5000: 5'
[ "$seen" = "$wanted" ] || { printf 'It showed\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: coin-format shows 100 ETH as 1 ETH"
