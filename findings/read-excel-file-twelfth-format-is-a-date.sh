#!/usr/bin/env bash
# read-excel-file 9.3.17, reading a workbook that xlsx (SheetJS) 0.18.5 writes, and exceljs 4.4.0 (npm).
# Expected: a cell of 1234.5 with the format 0.00 [$T12] is a number, whichever format of the workbook it is.
# Really: SheetJS numbers a workbook's own formats from 60 on. 71 to 81 are dates in Thai by the list of
# Excel's formats, which read-excel-file asks before the workbook, which says 0.00 [$T12] for 71. So the
# twelfth to the twenty-second format make each amount a day of 1903. The first eleven are numbers, and all
# of them are to exceljs and to SheetJS itself.
# What follows: a workbook with a format for each of twelve tokens loses the amounts of the last one. Our
# reader takes the workbook's own format first.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts read-excel-file@9.3.17 \
  xlsx@0.18.5 exceljs@4.4.0 >/dev/null
cat >read.mjs <<'JS'
import exceljs from "exceljs";
import { readSheet } from "read-excel-file/node";
import xlsx from "xlsx";

const { readFile, utils, writeFile } = xlsx;
const tokens = Array.from({ length: 24 }, (_, at) => at + 1);
const sheet = utils.aoa_to_sheet(tokens.map(() => [1234.5]));
for (const token of tokens) sheet[`A${token}`].z = `0.00\\ [$T${token}]`;
const book = utils.book_new();
utils.book_append_sheet(book, sheet, "list");
writeFile(book, "list.xlsx");

const other = new exceljs.Workbook();
await other.xlsx.readFile("list.xlsx");
const own = readFile("list.xlsx", { cellDates: true }).Sheets.list;
const read = {
  "read-excel-file": (await readSheet("list.xlsx")).map(([value]) => value),
  exceljs: tokens.map((token) => other.worksheets[0].getCell(`A${token}`).value),
  xlsx: tokens.map((token) => own[`A${token}`].v),
};
for (const [name, values] of Object.entries(read))
  console.log(name, tokens.filter((token) => values[token - 1] !== 1234.5).join(" "), values[11]);
JS
seen=$(node read.mjs)
wanted='read-excel-file 12 13 14 15 16 17 18 19 20 21 22 1903-05-18T12:00:00.000Z
exceljs  1234.5
xlsx  1234.5'
[ "$seen" = "$wanted" ] || { printf 'Not numbers were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: read-excel-file makes dates of amounts in the twelfth format that SheetJS writes"
