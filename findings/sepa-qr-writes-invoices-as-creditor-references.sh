#!/usr/bin/env bash
# sepa-qr 0.0.2 from npm, which draws the codes by which banks' apps in Europe fill in a payment. jsqr 1.4.0 and pngjs
# 7.0.0 read the picture, and sepa-payment-qr-code 2.0.2 writes the same payment beside it.
# Expected: as its documentation says, it follows the European Payments Council's standard, with `remittance: 'Invoice
# 123456789'` as an example, and `information`. By the standard a code has twelve lines: the ninth is the purpose, the
# tenth a structured creditor reference, such as RF18539007547034, the eleventh a text for the recipient, and the
# twelfth a hint to the payer only. Of the tenth and eleventh, one is given.
# Really: it writes eleven lines, and none for the text. So the text is in the line of the creditor reference, which it
# is not, and the hint to the payer is in that of the text for the recipient. A number is written as JavaScript has it:
# 0.1 + 0.2 euros are EUR0.30000000000000004, which is longer than the standard's amounts. Nothing is said. Name,
# account and plain amounts are right.
# What follows: an app refuses the code, or the money arrives with "Thank you" instead of the invoice's number, and
# nobody knows which invoice was paid. Read a code with another program before it is printed. Here, the reference of a
# transfer is a text of its own (docs/api.md).
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts sepa-qr@0.0.2 jsqr@1.4.0 pngjs@7.0.0 \
  sepa-payment-qr-code@2.0.2 >/dev/null
cat >"$dir/draw.cjs" <<'JS'
const { default: jsQR } = require("jsqr");
const { PNG } = require("pngjs");
const other = require("sepa-payment-qr-code");
const createSepaQr = require("sepa-qr");

const payee = { name: "Example", iban: "BE72000000001616" };
const show = (name, text) => console.log(`${name}: ${text.split("\n").slice(7).map((line) => `[${line}]`).join("")}`);
const draw = async (payment) => {
  const chunks = [];
  for await (const chunk of createSepaQr({ ...payee, ...payment })) chunks.push(chunk);
  const { data, width, height } = PNG.sync.read(Buffer.concat(chunks));
  show("sepa-qr", jsQR(Uint8ClampedArray.from(data), width, height).data);
};
(async () => {
  await draw({ amount: 100, remittance: "Invoice 123456789", information: "Thank you" });
  await draw({ amount: 0.1 + 0.2 });
  show("sepa-payment-qr-code", other({ ...payee, amount: 100, unstructuredReference: "Invoice 123456789",
    information: "Thank you" }));
})();
JS
seen=$(cd "$dir" && node draw.cjs)
wanted='sepa-qr: [EUR100][][Invoice 123456789][Thank you]
sepa-qr: [EUR0.30000000000000004][][][]
sepa-payment-qr-code: [EUR100.00][][][Invoice 123456789][Thank you]'
[ "$seen" = "$wanted" ] || { printf 'The codes had\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: codes of sepa-qr have a text as creditor reference, and a hint to the payer as text for the recipient"
