#!/usr/bin/env bash
# decimal 0.0.2 and num 0.3.0 from npm: exact decimals as texts.
# Expected: 1.05 less 1.10 is -0.05, and -1.234 with one decimal is -1.2, as 1.234 is 1.2.
# Really: decimal puts the point into the text of a whole number, and counts its minus as a digit: the
# difference is 0.-5, and 0.5 less 0.9 is -.4. Where the number has digits enough, it is right. num rounds
# -1.234 to -1.1, and without decimals to 0; -123.456 becomes -122, and -0.001 with one decimal -0.1. Where
# it takes only one digit away, it is right, and so it is above zero.
# What follows: 0.-5 is no number to most programs, and 0 to parseFloat. Calculate and round what is below
# zero without its sign.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts decimal@0.0.2 num@0.3.0 >/dev/null
cat >"$dir/calculate.cjs" <<'JS'
const decimal = require("decimal");
const num = require("num");
for (const [one, other] of [["1.10", "1.05"], ["1.05", "1.10"], ["0.5", "0.9"], ["1.5", "2.55"]])
  console.log(`${one} - ${other}:`, String(decimal(one).sub(other)), String(num(one).sub(other)));
for (const amount of ["1.234", "-1.234", "0.001", "-0.001", "-123.456"])
  console.log(`${amount}:`, ...[0, 1, 2].map((decimals) => String(num(amount).round(decimals))));
JS
seen=$(cd "$dir" && node calculate.cjs)
wanted='1.10 - 1.05: 0.05 0.05
1.05 - 1.10: 0.-5 -0.05
0.5 - 0.9: -.4 -0.4
1.5 - 2.55: -1.05 -1.05
1.234: 1 1.2 1.23
-1.234: 0 -1.1 -1.23
0.001: 0 0.0 0.00
-0.001: -1 -0.1 0.00
-123.456: -122 -123.5 -123.46'
[ "$seen" = "$wanted" ] || { printf 'The results were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: decimal writes -0.05 as 0.-5, and num rounds -1.234 to -1.1"
