#!/usr/bin/env bash
# parsecurrency 1.1.1 and parse-money 1.0.12 from npm, which read amounts as people write them.
# Expected: $.50 is half a dollar, as $0.50 is, and -$1,234.50 is less than nothing. The first names currencies with
# three decimals as what it cannot read, and the second gives examples with 1.234,56 and 1,234.56 only.
# Really: to both, $.50 is 50, and .75 USD is 75: without a digit before it, the point is a part of the sign of the
# currency. parse-money loses each minus as well: -$1,234.50 is 1234.5. Nothing is refused. With a digit before the
# point, parsecurrency is right.
# What follows: fifty cents are paid as fifty dollars, and what was taken back is paid again. Amounts here have a
# digit before the point, and none of less than 0.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts parsecurrency@1.1.1 parse-money@1.0.12 \
  >/dev/null
cat >"$dir/read.cjs" <<'JS'
const parseCurrency = require("parsecurrency");
const { default: parseMoney } = require("parse-money");
for (const text of ["$0.50", "$.50", "-$.50", ".75 USD", "$1,234.50", "-$1,234.50", "-0.05 USD"])
  console.log(text, parseCurrency(text).value, parseMoney(text).amount);
JS
seen=$(cd "$dir" && node read.cjs)
wanted='$0.50 0.5 0.5
$.50 50 50
-$.50 -50 50
.75 USD 75 75
$1,234.50 1234.5 1234.5
-$1,234.50 -1234.5 1234.5
-0.05 USD -0.05 0.05'
[ "$seen" = "$wanted" ] || { printf 'The amounts were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo 'ok: to parsecurrency and parse-money, $.50 is 50'
