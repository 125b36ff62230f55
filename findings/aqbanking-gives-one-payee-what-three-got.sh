#!/usr/bin/env bash
# AqBanking 6.5.3 (Debian 12: aqbanking-tools), which reads statements of banks (camt.052.001.02), as GnuCash and
# KMyMoney do with it.
# Expected: payments that were sent together are one entry in a bank's statement, which has the details of each: an
# entry of 300 with 50 for Alice, 100 for Bob and 150 for Carol, by BookgDt, NtryDtls and Btch. It becomes three
# transactions, or one without a payee. An entry with RvslInd true is a payment that came back, and its creditor is who
# was to be paid.
# Really: it is one transaction of 300 to Alice, with her account, her purpose and her reference. Bob and Carol are
# nowhere. What came back from Dave is paid by ourselves, as debtor and creditor are taken for those of a payment that
# came in. Nothing is said. Entries of one payment are right, and so are the amounts and signs of all. In CSV they are
# fractions, -30000/100.
# What follows: by the books, one of three was paid, six times as much as was due, and who looks for what was not paid
# by reference pays two of them again. Ask the bank for single entries, or read the file with a reader that knows
# TxDtls. Statements here have a row for each transfer (docs/statements.md).
set -euo pipefail

command -v aqbanking-cli >/dev/null || { echo "aqbanking-cli is missing: apt-get install aqbanking-tools"; exit 1; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
export HOME="$dir"
details() {
  echo "<TxDtls><Refs><EndToEndId>$2</EndToEndId></Refs><AmtDtls><TxAmt><Amt Ccy=\"EUR\">$3</Amt></TxAmt></AmtDtls>"
  echo "<RltdPties><Dbtr><Nm>Ourselves</Nm></Dbtr><Cdtr><Nm>$1</Nm></Cdtr></RltdPties>"
  echo "<RmtInf><Ustrd>wage of $1</Ustrd></RmtInf></TxDtls>"
}
entry() {
  echo "<Ntry><Amt Ccy=\"EUR\">$2</Amt><CdtDbtInd>$1</CdtDbtInd>$3<Sts>BOOK</Sts><BookgDt><Dt>2026-11-30</Dt></BookgDt>"
  echo "<ValDt><Dt>2026-11-30</Dt></ValDt><NtryDtls>$4</NtryDtls></Ntry>"
}
three="<Btch><NbOfTxs>3</NbOfTxs></Btch>$(details Alice E-1 50.00)$(details Bob E-2 100.00)$(details Carol E-3 150.00)"
cat >statement.xml <<XML
<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.052.001.02"><BkToCstmrAcctRpt>
<GrpHdr><MsgId>1</MsgId><CreDtTm>2026-11-30T20:00:00</CreDtTm></GrpHdr>
<Rpt><Id>1</Id><CreDtTm>2026-11-30T20:00:00</CreDtTm>
<Acct><Id><IBAN>DE89370400440532013000</IBAN></Id><Ccy>EUR</Ccy></Acct>
$(entry DBIT 300.00 "" "$three")
$(entry DBIT 20.50 "" "$(details Dave E-4 20.50)")
$(entry CRDT 20.50 "<RvslInd>true</RvslInd>" "$(details Dave E-4 20.50)")
</Rpt></BkToCstmrAcctRpt></Document>
XML
bank() { aqbanking-cli --cfgdir="$dir/settings" --noninteractive "$@" >/dev/null 2>>log; }
bank import --importer=xml --profile=camt_052_001_02 --infile=statement.xml --ctxfile=context
bank export --exporter=csv --profile=full --ctxfile=context --outfile=list.csv
cat >show.mjs <<'JS'
import { readFileSync } from "node:fs";

const rows = readFileSync("list.csv", "utf8").trim().split("\n").map((line) => line.slice(1, -1).split('";"'));
const [names, ...cells] = rows;
const shown = ["value_value", "remoteName", "purpose", "endToEndReference"];
for (const row of cells) console.log(shown.map((name) => row[names.indexOf(name)]).join(" | "));
JS
seen=$(node show.mjs)
wanted='-30000/100 | Alice | wage of Alice | E-1
-2050/100 | Dave | wage of Dave | E-4
2050/100 | Ourselves | wage of Dave | E-4'
[ "$seen" = "$wanted" ] || { printf 'The rows were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: AqBanking makes one payment of 300 to Alice of payments to three"
