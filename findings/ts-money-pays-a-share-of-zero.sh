#!/usr/bin/env bash
# ts-money 0.4.8 and js-money 0.6.3 from npm, allocate, which splits an amount by ratios. @easymoney/money 1.0.2
# beside them.
# Expected: as their documentation says, "based on the ratio without loosing any pennies". Who has the ratio 0 gets
# nothing.
# Really: what the division leaves is given out from the first on, also to a ratio of 0: of 10.00 by 0, 1, 1 and 1,
# the first gets a cent. So the parts still add up, and where the zero is not among the first, or nothing is left,
# it is right.
# What follows: an account that is excluded with a weight of 0 is paid, and in a list with one row for each
# recipient gets a row. Leave out such ratios before the amount is split.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts ts-money@0.4.8 js-money@0.6.3 \
  @easymoney/money@1.0.2 >/dev/null
cat >"$dir/split.cjs" <<'JS'
const { createMoney } = require("@easymoney/money");
const Money = require("js-money");
const ts = require("ts-money");
for (const [amount, ratios] of [[1000, [1, 1, 1]], [1000, [0, 1, 1, 1]], [1000, [1, 1, 1, 0]], [101, [0, 50, 50]],
  [1000, [0, 1, 1]]]) {
  const money = { amount, currency: "EUR" };
  const parts = [ts.Money.fromInteger(money), Money.fromInteger(money)].map((all) =>
    all.allocate(ratios).map((part) => part.amount).join());
  console.log(ratios.join(), ...parts, createMoney(money).allocate(ratios).map((part) => part.getAmount()).join());
}
JS
seen=$(cd "$dir" && node split.cjs)
wanted='1,1,1 334,333,333 334,333,333 334,333,333
0,1,1,1 1,333,333,333 1,333,333,333 0,334,333,333
1,1,1,0 334,333,333,0 334,333,333,0 334,333,333,0
0,50,50 1,50,50 1,50,50 0,51,50
0,1,1 0,500,500 0,500,500 0,500,500'
[ "$seen" = "$wanted" ] || { printf 'The parts were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: ts-money and js-money pay a cent to a ratio of 0"
