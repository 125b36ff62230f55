#!/usr/bin/env bash
# Writers of ACH files, lists of payments for banks in the USA, from npm: @midlandsbank/node-nacha 0.4.0 and nach2
# 0.5.1.
# Expected: as the format has it, an addenda record, which says what a payment is for, ends with the last seven digits
# of its own entry's trace number, a file has blocks of ten lines, and its last record the number of blocks and
# batches.
# Really: node-nacha counts entries from 0 and addenda from 1, also in the example of its documentation. Alice's note
# names Bob's entry, and the last note names none. Where the lines are already a multiple of ten, as with six entries,
# it adds ten lines of nines more, and does not count that block. nach2 says one batch more each time generateFile is
# called, such as once to look at the text and once to send it. Nothing is said.
# What follows: a bank that checks its files refuses all payments, and one that does not books the reference of one
# recipient with the next one. Set traceNumber, and make a new File for each text.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts @midlandsbank/node-nacha@0.4.0 nach2@0.5.1 \
  >/dev/null
cat >"$dir/write.cjs" <<'JS'
const midlands = require("@midlandsbank/node-nacha");
const nach = require("nach2");
const written = (names, note) => {
  let file = midlands
    .create({ from: { name: "Example", fein: "123456789" }, for: { name: "Our Bank", routing: "081000032" } })
    .ppd({ effectiveDate: "261201", description: "Payout", date: "Dec 01" });
  for (const name of names)
    file = file.credit({ name, account: { num: "1357", type: "C" }, routing: "081000210", amount: 100, ...note(name) });
  return midlands.from(file).to("ach").split("\n");
};
const said = (lines) => lines.find((line) => /^9[^9]/.test(line));
for (const line of written(["Alice", "Bob"], (name) => ({ addenda: `for ${name}` }))) {
  if (line[0] === "6") console.log("entry of", line.slice(54, 76).trim(), line.slice(87));
  if (line[0] === "7") console.log("note", line.slice(3, 83).trim(), line.slice(87));
}
for (const count of [5, 6, 7, 16]) {
  const lines = written(Array(count).fill("Alice"), () => ({}));
  console.log(`${count} entries: ${lines.length} lines in ${Number(said(lines).slice(7, 13))} blocks`);
}
const file = new nach.File({ immediateDestination: "081000032", immediateOrigin: "123456789",
  immediateDestinationName: "Our Bank", immediateOriginName: "Example", referenceCode: "#A000001" });
const batch = new nach.Batch({ serviceClassCode: "220", companyName: "Example", standardEntryClassCode: "PPD",
  companyIdentification: "123456789", companyEntryDescription: "Payout", companyDescriptiveDate: "Dec 1",
  effectiveEntryDate: new Date(2026, 11, 1), originatingDFI: "081000032" });
batch.addEntry(new nach.Entry({ receivingDFI: "081000210", DFIAccount: "5654221", amount: "12.50", idNumber: "r1",
  individualName: "Alice", discretionaryData: "A1", transactionCode: "22" }));
file.addBatch(batch);
for (const time of ["first", "second", "third"])
  file.generateFile((text) => {
    const lines = text.split("\r\n");
    const batches = lines.filter((line) => line.startsWith("5")).length;
    console.log(`${time} text: ${batches} batch, ${Number(said(lines).slice(1, 7))} said`);
  });
JS
seen=$(cd "$dir" && node write.cjs)
wanted='entry of Alice 0000000
note for Alice 0000001
entry of Bob 0000001
note for Bob 0000002
5 entries: 10 lines in 1 blocks
6 entries: 20 lines in 1 blocks
7 entries: 20 lines in 2 blocks
16 entries: 30 lines in 2 blocks
first text: 1 batch, 1 said
second text: 1 batch, 2 said
third text: 1 batch, 3 said'
[ "$seen" = "$wanted" ] || { printf 'The files had\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: a note of node-nacha names the next entry, and nach2 says two batches in its second text of one"
