#!/usr/bin/env bash
# iso20022.js 0.0.15 from npm: a payment (pain.001) is written, and a bank's statement (camt.053) is read.
# Expected: amounts are in the unit that Dinero has for a currency, cents for euros, and whole. An entry with RvslInd
# true is one by `reversal`, "indicates if the entry is a reversal". Account numbers and references are texts.
# Really: `reversal` is never true: the reader of XML makes a boolean of "true", which is then compared with a text.
# 4.35 is 434.99999999999994 cents, which the same package refuses to pay ("You must provide an integer"). The
# account 00701 is 701, and so is such a reference of a payer. Each currency has two decimals: 1000 yen, which have
# none, are paid as 10, and read as 100000.
# What follows: what the bank took back counts as paid in, a payout is found by a reference that nobody gave, and
# yen are paid a hundredth. Read such files as texts. Amounts and references are texts in all interfaces here.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts iso20022.js@0.0.15 >/dev/null
cat >"$dir/bank.mjs" <<'JS'
import { CashManagementEndOfDayReport, ISO20022 } from "iso20022.js";
const total = (name) => `<${name}><NbOfNtries>1</NbOfNtries><Sum>4.35</Sum></${name}>`;
const entry = (currency, amount) => `<Ntry><Amt Ccy="${currency}">${amount}</Amt><CdtDbtInd>DBIT</CdtDbtInd>
  <RvslInd>true</RvslInd><Sts>BOOK</Sts><BookgDt><Dt>2026-11-30</Dt></BookgDt><ValDt><Dt>2026-11-30</Dt></ValDt>
  <BkTxCd><Prtry><Cd>N</Cd></Prtry></BkTxCd>
  <NtryDtls><TxDtls><RmtInf><Ustrd>00701</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>`;
const time = "<CreDtTm>2026-11-30T12:00:00Z</CreDtTm>";
const report = CashManagementEndOfDayReport.fromXML(`<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt>
  <GrpHdr><MsgId>M</MsgId>${time}</GrpHdr><Stmt><Id>S</Id><ElctrncSeqNb>1</ElctrncSeqNb>${time}
  <FrToDt><FrDtTm>2026-11-29T00:00:00Z</FrDtTm><ToDtTm>2026-11-30T00:00:00Z</ToDtTm></FrToDt>
  <Acct><Id><Othr><Id>00701</Id></Othr></Id><Svcr><FinInstnId><BIC>DEUTDEFF</BIC></FinInstnId></Svcr></Acct>
  <Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">4.35</Amt><CdtDbtInd>CRDT</CdtDbtInd>
  <Dt><Dt>2026-11-30</Dt></Dt></Bal><TxsSummry>${["TtlNtries", "TtlCdtNtries", "TtlDbtNtries"].map(total).join("")}
  </TxsSummry>${entry("EUR", "4.35")}${entry("EUR", "4.25")}${entry("JPY", "1000")}</Stmt>
</BkToCstmrStmt></Document>`);
const [{ account, entries }] = report.statements;
console.log(JSON.stringify(account));
for (const { amount, currency, reversal, transactions } of entries)
  console.log(currency, amount, reversal, JSON.stringify(transactions[0].remittanceInformation));
const agent = { bic: "CHASUS33", bankAddress: { country: "US" } };
const bank = new ISO20022({ initiatingParty: { name: "Example", id: "X", account: { accountNumber: "1" }, agent } });
const address = { streetName: "1 Main St", townName: "Springfield", postalCode: "1", country: "US" };
const creditor = { name: "Alice", account: { iban: "DE89370400440532013000" }, agent: { bic: "DEUTDEFF" }, address };
for (const [amount, currency] of [[435, "EUR"], [1000, "JPY"], [entries[0].amount, "EUR"]]) {
  const payment = { type: "swift", direction: "credit", amount, currency, creditor };
  try {
    console.log(bank.createSWIFTCreditPaymentInitiation([payment]).serialize().match(/<InstdAmt[^/]*/)[0]);
  } catch ({ message }) {
    console.log(message);
  }
}
JS
seen=$(cd "$dir" && node bank.mjs)
wanted='{"accountNumber":"701"}
EUR 434.99999999999994 false 701
EUR 425 false 701
JPY 100000 false 701
<InstdAmt Ccy="EUR">4.35<
<InstdAmt Ccy="JPY">10<
You must provide an integer.'
[ "$seen" = "$wanted" ] || { printf 'The bank had\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: iso20022.js sees no reversal, makes 435 cents a fraction, and pays 10 of 1000 yen"
