#!/usr/bin/env bash
# xlsx-extract 0.2.0 from npm, reading a workbook that xlsx (SheetJS) 0.18.5 writes.
# Expected: as its documentation says, it rounds a number to the digits that its cell shows, unless raw_values
# is set: with the format 0, which shows none behind the point, 2.7 is 3 and 0.0000005 is 0. A percentage is
# one in each format.
# Really: with a format without decimals, the digits at the beginning of the number's text are taken. 2.7 is
# 2, 0.0000005, which JavaScript writes 5e-7, is 5, and 1.5e21 is 1. A percentage is multiplied by 100 with
# the format 0% only: of 0.0325 it makes 3, and 0.03 with 0.00%, where the cell shows 3.25%. All are numbers,
# and nothing is said. With decimals in the format, with General and with raw_values they are right.
# What follows: half a millionth of a token is paid as five. Read workbooks with raw_values. Our reader takes
# what is stored, says what is shown rounded, and refuses percentages.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts xlsx-extract@0.2.0 \
  xlsx@0.18.5 >/dev/null
cat >"$dir/read.cjs" <<'JS'
const xlsx = require("xlsx");
const { XLSX } = require("xlsx-extract");

const cells = [[2.7, "0"], [0.0000005, "0"], [0.0000005, '#,##0" pts"'], [1.5e21, "0"], [1500, "#,##0"],
  [0.0325, "0%"], [0.0325, "0.00%"], [0.0000005, "General"], [0.0000005, "0.0000000"], [2.7, "0.00"]];
const sheet = xlsx.utils.aoa_to_sheet(cells.map(([number]) => [number]));
for (const [at, [, format]] of cells.entries()) sheet[`A${at + 1}`].z = format;
xlsx.writeFile({ SheetNames: ["Payout"], Sheets: { Payout: sheet } }, "payout.xlsx");
const read = (options) => new Promise((resolve) => {
  const rows = [];
  const reading = new XLSX().extract("payout.xlsx", { sheet_nr: "1", ...options });
  reading.on("row", ([cell]) => rows.push(cell)).on("end", () => resolve(rows));
});
Promise.all([read(), read({ raw_values: true })]).then(([shown, raw]) => {
  for (const [at, [number, format]] of cells.entries())
    console.log(format, number, shown[at], Number(raw[at]));
});
JS
seen=$(cd "$dir" && node read.cjs)
wanted='0 2.7 2 2.7
0 5e-7 5 5e-7
#,##0" pts" 5e-7 5 5e-7
0 1.5e+21 1 1.5e+21
#,##0 1500 1500 1500
0% 0.0325 3 0.0325
0.00% 0.0325 0.03 0.0325
General 5e-7 5e-7 5e-7
0.0000000 5e-7 5e-7 5e-7
0.00 2.7 2.7 2.7'
[ "$seen" = "$wanted" ] || { printf 'The cells were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: xlsx-extract makes 5 of 0.0000005"
