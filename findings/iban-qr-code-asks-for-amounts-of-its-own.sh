#!/usr/bin/env bash
# iban-qr-code 1.0.0 from npm, which writes the codes by which banks' apps in Europe fill in a payment (Girocode).
# sepa-payment-qr-code 2.0.2 beside it.
# Expected: by the European Payments Council's guidelines, which its documentation names, the BIC may be left out since
# version 002, and so may the amount, which the payer enters then, and the text. What was not given is an empty line.
# Really: what was not given is from an example. Without an amount the code asks for 19.05 euros, without a text the
# payment is for "Testsubject", and without a BIC it is for DEZZZYYYXXX, which is no bank, in each version. A BIC that
# is undefined, as in a row without one, is "undefined". The other format of the same package, bezahlcode, has empty
# fields. Its documentation shows a call with all fields and says nothing of others. What is given is right.
# What follows: a code for donations, or for a bill whose amount is open, fills in 19.05 and a text that nobody knows,
# and a bank that looks at the BIC refuses the payment. Give each field, as an empty text where there is none. Who asks
# for payments beside points meets it.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts iban-qr-code@1.0.0 \
  sepa-payment-qr-code@2.0.2 >/dev/null
cat >"$dir/write.cjs" <<'JS'
const { bezahlcode, girocode } = require("iban-qr-code");
const other = require("sepa-payment-qr-code");

const payee = { name: "Example", iban: "DE89370400440532013000" };
const show = (name, text) => {
  const lines = text.split("\n");
  console.log(`${name}: bank [${lines[4]}], amount [${lines[7]}], text [${lines[10]}]`);
};
show("payee only", girocode({ ...payee, version: "002" }));
show("with an amount", girocode({ ...payee, version: "002", amount: "12.50", reason: "Invoice 7" }));
show("with an empty BIC", girocode({ ...payee, bic: "", amount: "12.50", reason: "Invoice 7" }));
show("with no BIC in its row", girocode({ ...payee, bic: undefined, amount: "12.50", reason: "Invoice 7" }));
show("sepa-payment-qr-code", other({ ...payee, amount: null }));
console.log(`bezahlcode: ${bezahlcode(payee).split("&").filter((field) => !field.startsWith("iban")).join(" ")}`);
JS
seen=$(cd "$dir" && node write.cjs)
wanted='payee only: bank [DEZZZYYYXXX], amount [EUR19.05], text [Testsubject]
with an amount: bank [DEZZZYYYXXX], amount [EUR12.50], text [Invoice 7]
with an empty BIC: bank [], amount [EUR12.50], text [Invoice 7]
with no BIC in its row: bank [undefined], amount [EUR12.50], text [Invoice 7]
sepa-payment-qr-code: bank [], amount [], text []
bezahlcode: bank://singlepaymentsepa?bic= name=Example amount=0%2C00 separeference= reason='
[ "$seen" = "$wanted" ] || { printf 'The codes had\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: a code of iban-qr-code without an amount asks for 19.05 euros"
