#!/usr/bin/env bash
# token-amount 0.3.0 from npm, "a transportable object for token amounts with formatting": format, and export and
# import, which write it as a text and read it.
# Expected: -9.39 tokens are written as such. Its documentation says of displaySign that it is "whether the sign (- or
# +) should be displayed", as if for amounts above 0, which have none elsewhere. What export wrote, import reads.
# Really: without it, -9.39 is 9.39, and so is the text of the object in a template. With it, 9.39 is +9.39. import
# refuses what export wrote of a token of 0 decimals: "invalid data format provided". From one decimal on it is read,
# and so is a value of 0.
# What follows: what was taken back is shown as paid, in the same column, and amounts of a token without decimals are
# stored but not read again. Write the sign apart.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts token-amount@0.3.0 >/dev/null
cat >"$dir/format.cjs" <<'JS'
const TokenAmount = require("token-amount").default;
const amounts = [["9388295879707883945", 18], ["-9388295879707883945", 18], ["-5", 1], ["5", 0], ["0", 1]];
for (const [units, decimals] of amounts) {
  const amount = new TokenAmount(units, decimals);
  let read = "refused";
  try {
    read = String(TokenAmount.import(amount.export()).value);
  } catch {}
  console.log(units, decimals, `${amount}`, amount.format({ displaySign: true }), read);
}
JS
seen=$(cd "$dir" && node format.cjs)
wanted='9388295879707883945 18 9.39 +9.39 9388295879707883945
-9388295879707883945 18 9.39 -9.39 -9388295879707883945
-5 1 0.5 -0.5 -5
5 0 5 +5 refused
0 1 0 +0 0'
[ "$seen" = "$wanted" ] || { printf 'The amounts were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: token-amount writes -9.39 as 9.39, and does not read back tokens of 0 decimals"
