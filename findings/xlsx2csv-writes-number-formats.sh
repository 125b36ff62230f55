#!/usr/bin/env bash
# xlsx2csv 0.7.8 (Debian 12), with a workbook that xlsx (SheetJS) 0.18.5 from npm writes.
# Expected: a number whose format shows a unit in quotes, such as 0.00" pts", becomes a number in CSV, as in
# SheetJS's own sheet_to_csv, perhaps with its unit.
# Really: a unit with one of the letters d, h, m, s or y makes it a format of dates to xlsx2csv. It fills in
# what it knows of it, such as a day for the d, and writes the format. The amount is in no cell: a column of
# amounts becomes a column of 0.00 pts, and nothing is said. A unit in brackets, [$USDC], is left alone, but
# its letters count as decimals.
# What follows: no reader of that CSV can find the amounts. Give ours the workbook instead.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts xlsx@0.18.5 >/dev/null
apt-get -qq download xlsx2csv=1:0.7.8-1 2>/dev/null
dpkg-deb -x xlsx2csv_*.deb .
cat >write.cjs <<'JS'
const { utils, writeFile } = require("xlsx");
const formats = ['0.00" pts"', '#,##0.00" USD"', '0.00\\ "gold"', "0.00\\ [$USDC]"];
const sheet = utils.aoa_to_sheet(formats.map((_, at) => [1234.5 + at]));
formats.forEach((z, at) => Object.assign(sheet[`A${at + 1}`], { z }));
const book = utils.book_new();
utils.book_append_sheet(book, sheet, "list");
writeFile(book, "list.xlsx");
console.log(utils.sheet_to_csv(sheet, { rawNumbers: true }).trim());
JS
seen=$(node write.cjs && python3 usr/bin/xlsx2csv list.xlsx)
wanted='1234.5
1235.5
1236.5
1237.5
"0.00"" pts"""
"#,##0.00"" us19"""
"0.00 ""gol20"""
1237.5000000000'
[ "$seen" = "$wanted" ] || { printf 'The cells were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: xlsx2csv writes the number format instead of an amount whose unit looks like a date"
