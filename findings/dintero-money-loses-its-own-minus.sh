#!/usr/bin/env bash
# @dintero/money 1.1.12 from npm, toLocaleString and fromLocaleString, under Node 20.
# Expected: an amount that the one writes for a country, the other reads again. Its documentation shows both
# with no-NB, and says that what is not numeric is removed before.
# Really: the minus is removed, too, where a country has − (U+2212) for it, which Intl writes in Norwegian,
# Swedish and Finnish: −1 234,50 is 1234.50. A minus that is -, as in German, English, French and Danish,
# stays.
# What follows: what was taken back is read as paid. Keep amounts as plain decimals, and write them so for
# people only. Our reader refuses −5, as it does each amount below 0.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts \
  @dintero/money@1.1.12 >/dev/null
cat >"$dir/read.cjs" <<'JS'
const { Money } = require("@dintero/money");
for (const [locale, currency] of [["no-NB", "NOK"], ["sv-SE", "SEK"], ["fi-FI", "EUR"], ["de-DE", "EUR"],
  ["fr-FR", "EUR"], ["da-DK", "DKK"], ["en-US", "USD"]]) {
  const read = ["1234.5", "-1234.5"].map((amount) => {
    const written = Money.of(amount, currency).toLocaleString(locale);
    return `${written.replaceAll(/\s/g, "_")} is ${Money.fromLocaleString(written, currency, locale)}`;
  });
  console.log(locale, ...read);
}
JS
seen=$(cd "$dir" && node read.cjs)
wanted='no-NB 1_234,50 is 1234.50 −1_234,50 is 1234.50
sv-SE 1_234,50 is 1234.50 −1_234,50 is 1234.50
fi-FI 1_234,50 is 1234.50 −1_234,50 is 1234.50
de-DE 1.234,50 is 1234.50 -1.234,50 is -1234.50
fr-FR 1_234,50 is 1234.50 -1_234,50 is -1234.50
da-DK 1.234,50 is 1234.50 -1.234,50 is -1234.50
en-US 1,234.50 is 1234.50 -1,234.50 is -1234.50'
[ "$seen" = "$wanted" ] || { printf 'The amounts were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: @dintero/money loses the minus that it writes in Norwegian, Swedish and Finnish"
