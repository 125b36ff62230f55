#!/usr/bin/env bash
# @agrora/decimal 0.2.1 from npm, decimals of any length after PHP's bcmath. big.js 7.0.1 beside it.
# Expected: 20 less 7.5 is 12.5, as in bcmath and in big.js.
# Really: it is 20.5. Where the greater number has fewer digits behind the point, the decimals of the smaller one
# are taken from the wrong ones of the greater: 10 - 0.05 is 10.95, 3 - 1.25 is 0.85, 1 - 0.001 is 0.099, and
# 0.5 - 3 is -0.5. So are sums of two signs. With as many decimals on both sides, or more in the greater number,
# all are right, and so are sums of one sign.
# What follows: a balance of 20 grows by a payout of 7.5. Write both with the same number of decimals: 20.0 - 7.5
# is 12.5.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts @agrora/decimal@0.2.1 big.js@7.0.1 \
  >/dev/null
cat >"$dir/subtract.cjs" <<'JS'
const { default: Decimal } = require("@agrora/decimal");
const Big = require("big.js");
for (const [a, b] of [["20", "7.5"], ["10", "0.05"], ["3", "1.25"], ["1", "0.001"], ["0.5", "3"],
  ["20.0", "7.5"], ["20.25", "7.5"], ["1000", "1"]]) {
  const [less, sum, big] = [Decimal.from(a).subtract(b), Decimal.from(a).add(`-${b}`), Big(a).minus(b)];
  console.log(a, b, `${less}`, `${sum}`, `${big}`);
}
console.log(`${Decimal.from("20").add("7.5")}`);
JS
seen=$(cd "$dir" && node subtract.cjs)
wanted='20 7.5 20.5 20.5 12.5
10 0.05 10.95 10.95 9.95
3 1.25 0.85 0.85 1.75
1 0.001 0.099 0.099 0.999
0.5 3 -0.5 -0.5 -2.5
20.0 7.5 12.5 12.5 12.5
20.25 7.5 12.75 12.75 12.75
1000 1 999 999 999
27.5'
[ "$seen" = "$wanted" ] || { printf 'The differences were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: to @agrora/decimal, 20 less 7.5 is 20.5"
