#!/usr/bin/env bash
# Writers of amounts in words, as receipts have them, from npm: numero-a-letras 1.0.6 (pesos), number-in-letters 0.5.0
# and decimal-number-to-words 1.3.3. convert-number-to-words 1.0.3 beside them.
# Expected: the words say the amount, with its decimals where the program writes any, or it is refused.
# Really: numero-a-letras has -5 pesos as 999,995. From a thousand million on it loses the first digits: 1,234,567,890
# is 34 million and a bit, and a thousand million is "Millones de Pesos" without a number. 19.999 has 100 cents. To
# number-in-letters 1.5 is two, and -5 "undefined-five". decimal-number-to-words writes nothing for 0 and for -5.
# Nothing is refused. Smaller amounts with two decimals are right in the first, and those above 0 in the third.
# What follows: a receipt says one amount in digits and another in words, and in some countries the words count.
# This service writes amounts in digits only.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts numero-a-letras@1.0.6 \
  number-in-letters@0.5.0 decimal-number-to-words@1.3.3 convert-number-to-words@1.0.3 >/dev/null
cat >"$dir/write.cjs" <<'JS'
const { numberToWords } = require("convert-number-to-words");
const { toWords } = require("decimal-number-to-words");
const inLetters = require("number-in-letters");
const { NumerosALetras } = require("numero-a-letras");
for (const amount of [1001.05, -5, 1234567890, 1e9, 19.999]) console.log(amount, NumerosALetras(amount));
for (const amount of [1.05, 1.5, 0, -5])
  console.log(amount, [inLetters, toWords, numberToWords].map((write) => write(amount)).join(" | "));
JS
seen=$(cd "$dir" && node write.cjs)
wanted='1001.05 Un Mil Un Pesos 05/100 M.N.
-5 Novecientos Noventa y Nueve Mil Novecientos Noventa y Cinco Pesos 00/100 M.N.
1234567890 Treinta y Cuatro Millones de Quinientos Sesenta y Siete Mil Ochocientos Noventa Pesos 00/100 M.N.
1000000000 Millones de Pesos 00/100 M.N.
19.999 Diecinueve Pesos 100/100 M.N.
1.05 one | one point zero five | one point zero five
1.5 two | one point five | one point five
0 zero |  | zero
-5 undefined-five |  | negative five'
[ "$seen" = "$wanted" ] || { printf 'The words were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: numero-a-letras writes -5 pesos as 999,995, and 1,234,567,890 as 34 million"
