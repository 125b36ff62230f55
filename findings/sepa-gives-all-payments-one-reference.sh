#!/usr/bin/env bash
# sepa 3.0.0 from npm, which writes payments for European banks (pain.001).
# Expected: each transaction has fields of its own: name, IBAN, amount, `remittanceInfo`, and what its types name
# `structuredRemittanceInfo`, an object with typeCode, issuer and reference, which are empty until they are set.
# Really: that object is one for all transactions. So each payment gets the reference that was set last, also those
# that have a text instead, which is left out then, and those of the next file that the process writes. Nothing is
# said, and with one payment, all is right. Set as a new object, each has its own. It is in CdorPrtry, which ISO 20022
# spells CdOrPrtry, so a bank that checks the schema refuses the file.
# What follows: three people are paid for one invoice, and the bank's statement finds the other two in no payout.
# Assign a whole object, or use remittanceInfo.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts sepa@3.0.0 >/dev/null
cat >"$dir/write.cjs" <<'JS'
const SEPA = require("sepa");
const iban = "DE40987654329876543210";
const write = (...payments) => {
  const file = new SEPA.Document("pain.001.001.09");
  Object.assign(file.grpHdr, { id: "payout", created: new Date(), initiatorName: "Example" });
  const info = file.createPaymentInfo();
  Object.assign(info, { requestedExecutionDate: new Date(), debtorIBAN: iban, debtorName: "Example" });
  file.addPaymentInfo(info);
  payments.forEach((set, at) => {
    const payment = info.createTransaction();
    const name = ["Alice", "Bob", "Carol"][at];
    Object.assign(payment, { creditorName: name, creditorIBAN: iban, amount: 5, end2endId: `payout.${at}` });
    set(payment);
    info.addTransaction(payment);
  });
  const texts = file.toString().matchAll(/<Cdtr><Nm>(\w+)|<(Ref|Ustrd)(?:\/>|>([^<]*))|<(CdOrPrtry)/gi);
  console.log([...texts].map(([, name, kind, text = "", element]) => name ?? element ?? `${kind}=${text}`).join(" "));
};
const reference = (value) => (payment) => {
  Object.assign(payment.structuredRemittanceInfo, { typeCode: "SCOR", issuer: "ISO", reference: value });
};
const whole = (value) => (payment) => {
  payment.structuredRemittanceInfo = { typeCode: "SCOR", issuer: "ISO", reference: value };
};
const text = (value) => (payment) => Object.assign(payment, { remittanceInfo: value });
write(text("invoice 3"));
write(whole("RF01"), whole("RF02"), text("invoice 3"));
write(reference("RF01"), reference("RF02"), text("invoice 3"));
write(text("invoice 4"));
JS
seen=$(cd "$dir" && node write.cjs)
wanted='Alice Ustrd=invoice 3
Alice CdorPrtry Ref=RF01 Bob CdorPrtry Ref=RF02 Carol Ustrd=invoice 3
Alice CdorPrtry Ref=RF02 Bob CdorPrtry Ref=RF02 Carol CdorPrtry Ref=RF02
Alice CdorPrtry Ref=RF02'
[ "$seen" = "$wanted" ] || { printf 'The files had\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: payments that sepa writes all have the reference that was set last"
