#!/usr/bin/env bash
# ofx-data-extractor 1.5.0 from npm, which reads the statements that banks write in OFX.
# Expected: as its documentation says, by default "parser errors throw". A file may have a statement (STMTTRNRS) for
# each of several accounts, and line breaks between its elements or none. By OFX, POS and ATM are a "debit or credit
# (depends on signage of amount)".
# Really: where there are two accounts, or no line breaks, it makes JSON that is none. toNormalized and validate throw
# then, but getTransactionsSummary, which its documentation begins with, does not: it says that no money came in or
# went out. A refund of 20 at a shop is a debit to it, with an amount above 0, as POS, ATM, CHECK, PAYMENT, CASH and
# others count as debits whatever the sign is. A note that ends with a bracket, "order [12]", gets a comma. One
# account, line by line, with a minus for each payment is right, so a test with such shows nothing.
# What follows: by the summary nothing was paid in, and by another one 70 was spent where 30 was. Take TRNAMT, whose
# sign is right, and compare the number of transactions with that of <STMTTRN> in the file. Statements here are CSV
# files, with signs (docs/statements.md).
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts ofx-data-extractor@1.5.0 >/dev/null
cat >"$dir/read.cjs" <<'JS'
const { Ofx } = require("ofx-data-extractor");

const entry = ([type, amount, id, note]) => ["<STMTTRN>", `<TRNTYPE>${type}`, "<DTPOSTED>20261115", `<TRNAMT>${amount}`,
  `<FITID>${id}`, `<MEMO>${note}`, "</STMTTRN>"];
const account = (number, entries) => ["<STMTTRNRS>", "<TRNUID>1", "<STATUS>", "<CODE>0", "<SEVERITY>INFO", "</STATUS>",
  "<STMTRS>", "<CURDEF>USD", "<BANKACCTFROM>", "<BANKID>1", `<ACCTID>${number}`, "<ACCTTYPE>CHECKING",
  "</BANKACCTFROM>", "<BANKTRANLIST>", "<DTSTART>20261101", "<DTEND>20261130", ...entries.flatMap(entry),
  "</BANKTRANLIST>", "</STMTRS>", "</STMTTRNRS>"];
const file = (accounts, between = "\n") => "OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\n\n" +
  ["<OFX>", "<BANKMSGSRSV1>", ...accounts.flat(), "</BANKMSGSRSV1>", "</OFX>", ""].join(between);
const shown = (name, text) => {
  const ofx = new Ofx(text);
  const { credit, debit } = ofx.getTransactionsSummary();
  console.log(`${name}: credit ${credit}, debit ${debit}, warnings ${ofx.getWarnings().length}`);
  try {
    for (const { amount, direction, description } of ofx.toNormalized().transactions)
      console.log(`  ${amount} ${direction} ${description}`);
  } catch {
    console.log("  toNormalized throws");
  }
};
const first = account("0012", [["CREDIT", "100.00", 1, "wage"], ["POS", "-50.00", 2, "shop"]]);
const second = account("0013", [["CREDIT", "7.00", 3, "interest"]]);
shown("one account", file([first]));
shown("two accounts", file([first, second]));
shown("no line breaks", file([first], ""));
const refund = [["POS", "-50.00", 1, "shop"], ["POS", "20.00", 2, "refund"], ["CREDIT", "5.00", 3, "order [12]"]];
shown("a refund", file([account("0012", refund)]));
JS
seen=$(cd "$dir" && node read.cjs)
wanted='one account: credit 100, debit 50, warnings 0
  100 credit wage
  -50 debit shop
two accounts: credit 0, debit 0, warnings 0
  toNormalized throws
no line breaks: credit 0, debit 0, warnings 0
  toNormalized throws
a refund: credit 5, debit 70, warnings 0
  -50 debit shop
  20 debit refund
  5 credit order [12],'
[ "$seen" = "$wanted" ] || { printf 'It read\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: ofx-data-extractor sums two accounts to nothing, and counts a refund as spent"
