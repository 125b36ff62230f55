#!/usr/bin/env bash
# banknote 0.2.7 from npm, formattingForLocale and formatSubunitAmount, under Node 20, whose Intl is beside it.
# Expected: as its documentation says, it "follows Unicode CLDR", so 123450 yen, which have no smaller unit, are
# ¥123,450, and 123450 fils, of which a Kuwaiti dinar has 1000, are 123.450.
# Really: its options say subunitsPerUnit: 100 for each currency, whatever the locale. Yen are written a hundredth,
# ¥1,234.50, won and dong too, and dinars ten times as many. Dollars, euros and francs are right, so a test with
# these shows nothing. CLDR has the digits of each currency, and Intl uses them.
# What follows: a page shows another amount than is paid. Set subunitsPerUnit and centsZeroFill for each currency.
# Amounts here are decimals of a point type, not of a smaller unit.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts banknote@0.2.7 >/dev/null
cat >"$dir/format.cjs" <<'JS'
const { formatSubunitAmount, formattingForLocale } = require("banknote");
for (const [locale, currency] of [["en-US", "USD"], ["ja-JP", "JPY"], ["en-US", "JPY"], ["en-US", "KRW"],
  ["en-US", "KWD"]]) {
  const intl = new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions();
  const digits = intl.maximumFractionDigits;
  const written = formatSubunitAmount(123450, formattingForLocale(locale, currency));
  console.log(locale, currency, written.replace(/[^\d.,]/g, ""), (123450 / 10 ** digits).toFixed(digits));
}
JS
seen=$(cd "$dir" && node format.cjs)
wanted='en-US USD 1,234.50 1234.50
ja-JP JPY 1,234.50 123450
en-US JPY 1,234.50 123450
en-US KRW 1,234.50 123450
en-US KWD 1,234.50 123.450'
[ "$seen" = "$wanted" ] || { printf 'The amounts were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: banknote writes 123450 yen as ¥1,234.50"
