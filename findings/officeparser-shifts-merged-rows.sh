#!/usr/bin/env bash
# officeparser 8.1.1 from npm, from a spreadsheet to CSV. xlsx (SheetJS) 0.18.5 writes the spreadsheets, and CSV
# beside it.
# Expected: one sheet is the same CSV from .xlsx and from .ods, and each cell is in its column.
# Really: where cells of an .ods are merged, the ones that they cover are left out, and all behind them move to the
# left. The row is filled up at its end, so that it has as many cells as others. In the program's own tree the
# cells have the right columns. From .xlsx the columns are right, but a text that is in the cell itself, as SheetJS
# writes it, is as XML has it: R&D is R&amp;D.
# What follows: this service takes .xlsx and CSV, so who has an .ods converts it, and the number of a row may have
# become its amount. Save it as .xlsx from the spreadsheet program instead.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts officeparser@8.1.1 xlsx@0.18.5 >/dev/null
cat >convert.cjs <<'JS'
const { parseOffice } = require("officeparser");
const { utils, writeFile } = require("xlsx");
const rows = [["team", "", "to", "points", "row"], ["R&D", "", "alice", 5, 17], ["a", "b", "bob", 6, 18]];
const sheet = utils.aoa_to_sheet(rows);
sheet["!merges"] = [utils.decode_range("A2:B2")];
const book = utils.book_new();
utils.book_append_sheet(book, sheet, "list");
(async () => {
  console.log(utils.sheet_to_csv(sheet).trim());
  for (const name of ["list.xlsx", "list.ods"]) {
    writeFile(book, name);
    const { value } = await (await parseOffice(name)).to("csv");
    console.log(value.trim());
  }
})();
JS
seen=$(node convert.cjs)
wanted='team,,to,points,row
R&D,,alice,5,17
a,b,bob,6,18
team,,to,points,row
"R&amp;D",,alice,5,17
a,b,bob,6,18
team,,to,points,row
R&D,alice,5,17,
a,b,bob,6,18'
[ "$seen" = "$wanted" ] || { printf 'The rows were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: officeparser moves what is behind merged cells of an .ods one column to the left"
