#!/usr/bin/env bash
# zero-decimal-currencies 1.6.0 from npm, which makes cents of dollars for Stripe, PayPal and others.
# Expected: as its documentation says, it prevents "accidental overcharges", an amount is a "number | string", and
# noRound "truncates decimals instead of rounding": 15.7784 euros are 1577. So 10 dollars are 1000 with noRound as
# well, and what is paid back, -10.50, is -1050, as -100 yen are -100.
# Really: with noRound, the point is taken out of the number as JavaScript writes it, without zeros at its end. 10
# dollars are 10 cents, 10.50 are 105, and 15 Kuwaiti dinars are 10 fils. Three decimals or two that are no zeros are
# right, as in its example. Without noRound, each amount below 0 is 0, but for yen. Yen are rounded by a remainder of
# the number itself, so that 60.99 and 3.9 are 60 and 3, while 100.51 is 101, as in its example. The text "1,234.50" is
# 100 cents. Nothing is said.
# What follows: a charge of 10 dollars is one of 10 cents, and one of 10.50 of a tenth, while most others are right,
# and refunds are for 0. Take decimals as texts, and put zeros behind them. Amounts here are decimals of a point type.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts zero-decimal-currencies@1.6.0 >/dev/null
cat >"$dir/convert.mjs" <<'JS'
import toSmallestUnit from "zero-decimal-currencies";

for (const [amount, currency] of [[15.7784, "EUR"], [10, "USD"], [10.5, "USD"], [10.55, "USD"], [15, "KWD"],
  [-10.5, "USD"],
  ["1,234.50", "USD"], [100.51, "JPY"], [60.99, "JPY"], [3.9, "JPY"], [-100, "JPY"]])
  console.log(`${amount} ${currency}: ${toSmallestUnit(amount, currency)},`,
    `with noRound ${toSmallestUnit(amount, currency, false, true)}`);
JS
seen=$(cd "$dir" && node convert.mjs)
wanted='15.7784 EUR: 1578, with noRound 1577
10 USD: 1000, with noRound 10
10.5 USD: 1050, with noRound 105
10.55 USD: 1055, with noRound 1055
15 KWD: 15000, with noRound 10
-10.5 USD: 0, with noRound -105
1,234.50 USD: 100, with noRound 1
100.51 JPY: 101, with noRound 100
60.99 JPY: 60, with noRound 60
3.9 JPY: 3, with noRound 3
-100 JPY: -100, with noRound -100'
[ "$seen" = "$wanted" ] || { printf 'The amounts were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: zero-decimal-currencies with noRound makes 10 cents of 10 dollars, and 0 of each refund"
