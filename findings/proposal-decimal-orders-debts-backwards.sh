#!/usr/bin/env bash
# proposal-decimal 20250613.0.0 from npm, a polyfill, and by its own word a prototype, of TC39's proposal for
# decimals. big.js 7.0.1 beside it.
# Expected: as its documentation says, no observable difference from the proposal: -5 is less than -0.5.
# Really: it is more. Two negative amounts are compared as if they were positive, by compare, lessThan,
# greaterThan and the like, though sums and differences are right. So are comparisons with 0 or a positive
# amount.
# What follows: of two accounts, the one that owes 5 has more than the one that owes 0.50, and the smallest of
# a list is the smallest debt. Take the sign of the difference instead.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts proposal-decimal@20250613.0.0 \
  big.js@7.0.1 >/dev/null
cat >"$dir/compare.mjs" <<'JS'
import Big from "big.js";
import { Decimal } from "proposal-decimal";

const pairs = [["-5", "-0.5"], ["-0.5", "-5"], ["-10", "-9.99"], ["-5", "0"], ["-5", "3"], ["2", "3"]];
for (const [left, right] of pairs) {
  const [one, other] = [new Decimal(left), new Decimal(right)];
  const answers = [one.compare(other), one.lessThan(other), one.subtract(other), Big(left).cmp(right)];
  console.log(left, right, ...answers.map(String));
}
const balances = ["-5", "3", "-0.5", "0", "-10"].map((amount) => new Decimal(amount));
console.log(balances.sort((one, other) => one.compare(other)).join(" "));
JS
seen=$(cd "$dir" && node compare.mjs)
wanted='-5 -0.5 1 false -4.5 -1
-0.5 -5 -1 true 4.5 1
-10 -9.99 1 false -0.01 -1
-5 0 -1 true -5 -1
-5 3 -1 true -8 -1
2 3 -1 true -1 -1
-0.5 -5 -10 0 3'
[ "$seen" = "$wanted" ] || { printf 'The answers were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: to proposal-decimal, -5 is more than -0.5"
