#!/usr/bin/env bash
# exceljs 4.4.0 from npm, reading a workbook that xlsx (SheetJS) 0.18.5 writes.
# Expected: 0.00\d, and _-* #,##0.00\ _D_M_-, which German Excel wrote for accounts for years, are formats of
# numbers: a backslash shows the next letter, and an underscore leaves its width free.
# Really: exceljs takes away texts in quotes and brackets, but neither of these, and finds the D. A cell of
# 1234.5 is the Date 1903-05-18T12:00:00.000Z, and one of 100000 a day of 2173. The same unit in quotes is
# a number, and SheetJS reads numbers everywhere.
# What follows: whether a column is one of amounts depends on how its unit is written in the format. Our
# reader leaves out what such signs escape.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts exceljs@4.4.0 \
  xlsx@0.18.5 >/dev/null
cat >read.cjs <<'JS'
const { Workbook } = require("exceljs");
const { readFile, utils, writeFile } = require("xlsx");
const formats = ['0.00"d"', "0.00\\d", "_-* #,##0.00\\ _D_M_-", "#,##0.00\\ \\p\\t\\s"];
const sheet = utils.aoa_to_sheet(formats.map(() => [1234.5]));
formats.forEach((z, at) => Object.assign(sheet[`A${at + 1}`], { z }));
const book = utils.book_new();
utils.book_append_sheet(book, sheet, "list");
writeFile(book, "list.xlsx");
const own = readFile("list.xlsx", { cellDates: true }).Sheets.list;
const other = new Workbook();
other.xlsx.readFile("list.xlsx").then(({ worksheets: [first] }) => {
  formats.forEach((format, at) => {
    const name = `A${at + 1}`;
    console.log(format, JSON.stringify(own[name].v), JSON.stringify(first.getCell(name).value));
  });
});
JS
seen=$(node read.cjs)
wanted='0.00"d" 1234.5 1234.5
0.00\d 1234.5 "1903-05-18T12:00:00.000Z"
_-* #,##0.00\ _D_M_- 1234.5 "1903-05-18T12:00:00.000Z"
#,##0.00\ \p\t\s 1234.5 "1903-05-18T12:00:00.000Z"'
[ "$seen" = "$wanted" ] || { printf 'They read\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: exceljs makes dates of amounts whose format escapes or pads with a letter such as d"
