#!/usr/bin/env bash
# currency-formatter 1.5.9 from npm, format and unformat with the code of a currency.
# Expected: unformat reads what format has written for the same currency, as its examples in dollars, euros and
# francs do.
# Really: the point of a sign such as S/., L., B/., Bs. or Nu. is taken for the one before the decimals, so 1,234.50
# soles are 0.1234, and 5.00 are 0.5. Dong have a point for thousands, and 1.235.000 are 1.235. A minus and the dash
# of tenge become two, and -5 is 0.5. In the eleven Arabic currencies whose signs have points, each amount is 0. In
# 18 of 163 currencies -5 is read as another amount, and nothing is said.
# What follows: who is paid in Lima gets a part of it, and a test in dollars shows nothing. Keep amounts as plain
# decimals, and write them so for people only. Amounts here have no sign of a currency.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts currency-formatter@1.5.9 >/dev/null
cat >"$dir/read.cjs" <<'JS'
const { currencies, format, unformat } = require("currency-formatter");
const read = (amount, code) => unformat(format(amount, { code }), { code });
for (const [amount, code] of [[1234.5, "USD"], [1234.5, "EUR"], [1234.5, "PEN"], [5, "HNL"], [5, "BTN"],
  [1235000, "VND"], [5, "KZT"], [-5, "KZT"], [-5, "CHF"]])
  console.log(code, amount, format(amount, { code }).replace(/\s/g, " "), read(amount, code));
const wrong = currencies.map(({ code }) => code).filter((code) => read(-5, code) !== -5);
console.log(wrong.length, currencies.length, wrong.filter((code) => read(-5, code) === 0).join());
JS
seen=$(cd "$dir" && node read.cjs)
wanted="USD 1234.5 \$1,234.50 1234.5
EUR 1234.5 1 234,50 € 1234.5
PEN 1234.5 S/. 1,234.50 0.1234
HNL 5 L. 5.00 0.5
BTN 5 Nu. 5.0 0.5
VND 1235000 1.235.000 ₫ 1.235
KZT 5 ₸5-00 5
KZT -5 -₸5-00 0.5
CHF -5 -CHF 5.00 -5
18 163 AED,BHD,DZD,EGP,IQD,JOD,KWD,LBP,LYD,MAD,TND"
[ "$seen" = "$wanted" ] || { printf 'The amounts were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: currency-formatter reads its own 1,234.50 soles as 0.1234"
