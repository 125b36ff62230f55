#!/usr/bin/env bash
# @accounter/shaam-uniform-format-generator 0.1.1 from npm, which writes and reads the files in which Israel's tax
# authority asks for a company's books (INI.TXT and BKMVDATA.TXT).
# Expected: as its documentation says, it parses "those files back into structured, validated JSON", and its complete
# example ends with a "round-trip test". An account has a balance, an entry an ID, and an item of the inventory a price.
# Really: parseUniformFormatFiles looks at neither file. It gives "Placeholder Business", the tax ID 000000000 and no
# documents, entries and accounts, whatever it is given, also for the text of another format. The writer leaves each
# balance out, and writes 0 as the opening balance. Of an entry's ID it keeps the digits, and makes 1 of none: A-12,
# B-12 and 1-2 are all transaction 12. Prices are nowhere. Nothing is refused. Amounts of entries are written right.
# What follows: an import of a company's books finds nothing to import, and says that all is well. In the file for the
# authority, accounts have no balances, and lines of several entries are one. Read the records one by one (parseB100),
# number the entries oneself, and write balances with encodeB110. No guide here concerns it: who hands in books of what
# was paid in Israel meets it.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts \
  @accounter/shaam-uniform-format-generator@0.1.1 >/dev/null
cat >"$dir/books.mjs" <<'JS'
import { generateUniformFormatReport, parseB100, parseB110, parseUniformFormatFiles }
  from "@accounter/shaam-uniform-format-generator";

const date = "2026-11-30";
const { iniText, dataText } = generateUniformFormatReport({
  business: { businessId: "1", name: "Acme", taxId: "123456789",
    reportingPeriod: { startDate: "2026-01-01", endDate: "2026-12-31" } },
  documents: [{ id: "INV-1", type: "320", date, amount: 2340.5, description: "Work" }],
  journalEntries: ["A-12", "B-12", "1-2", "opening"].map((id) => ({ id, date, amount: 10, accountId: "4000" })),
  accounts: [{ id: "4000", name: "Revenue", type: "4", balance: 2340.5 }],
  inventory: [{ id: "HOUR", name: "Hour", quantity: 20, unitPrice: 117.25 }],
});
const lines = dataText.split("\r\n");
for (const line of lines.filter((text) => text.startsWith("B100")))
  console.log(`transaction ${parseB100(line).transactionNumber}: ${parseB100(line).transactionAmount}`);
const { accountOpeningBalance, totalDebits, totalCredits } = parseB110(lines.find((text) => text.startsWith("B110")));
console.log(`account: ${accountOpeningBalance}, debits ${totalDebits}, credits ${totalCredits}`);
console.log(`a price in the file: ${dataText.includes("117.25")}`);
for (const files of [[iniText, dataText], ["a", "letter"]]) {
  const { business, documents, journalEntries, accounts } = parseUniformFormatFiles(...files);
  console.log(`${business.name} ${business.taxId}: ${documents.length} documents, ${journalEntries.length} entries,`,
    `${accounts.length} accounts`);
}
JS
seen=$(cd "$dir" && node books.mjs)
wanted='transaction 12: 10.00
transaction 12: 10.00
transaction 12: 10.00
transaction 1: 10.00
account: 0, debits 0, credits 0
a price in the file: false
Placeholder Business 000000000: 0 documents, 0 entries, 0 accounts
Placeholder Business 000000000: 0 documents, 0 entries, 0 accounts'
[ "$seen" = "$wanted" ] || { printf 'The books were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: shaam-uniform-format-generator reads each report as one of Placeholder Business, without an entry"
