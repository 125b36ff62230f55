#!/usr/bin/env bash
# decimal-eval 0.1.1 from npm, which calculates with texts such as "0.1 + 0.2" by bignumber.js.
# Expected: as its documentation says, large numbers keep their digits: 9007199254740992 + 1 is
# 9007199254740993.
# Really: so it is, but a minus before a number or a bracket makes a JavaScript number of it. The amount
# -123456789012.123456789012 becomes -123456789012.12346, and 5 - -9007199254740993 is 9007199254740997. A
# minus between two amounts keeps all digits, so "0-x" is right where "-x" is not.
# What follows: what was paid and what was taken back do not add up to 0. Write a minus as 0-(…).
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts decimal-eval@0.1.1 >/dev/null
cat >"$dir/evaluate.cjs" <<'JS'
const { evaluate } = require("decimal-eval");
const amount = "123456789012.123456789012";
for (const expression of [
  "9007199254740992 + 1",
  "-(9007199254740992 + 1)",
  "5 - -9007199254740993",
  `0-${amount}`,
  `-${amount}`,
  `-${amount} + ${amount}`,
])
  console.log(expression, "=", evaluate(expression));
JS
seen=$(cd "$dir" && node evaluate.cjs)
wanted='9007199254740992 + 1 = 9007199254740993
-(9007199254740992 + 1) = -9007199254740992
5 - -9007199254740993 = 9007199254740997
0-123456789012.123456789012 = -123456789012.123456789012
-123456789012.123456789012 = -123456789012.12346
-123456789012.123456789012 + 123456789012.123456789012 = -0.000003210988'
[ "$seen" = "$wanted" ] || { printf 'The results were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: a minus makes a JavaScript number of decimal-eval's amounts"
