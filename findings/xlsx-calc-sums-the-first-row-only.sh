#!/usr/bin/env bash
# xlsx-calc 0.9.2 from npm, which calculates the formulas of workbooks that xlsx (SheetJS) 0.18.5 reads. hyperformula
# 3.5.0 beside it.
# Expected: SUMIF and VLOOKUP, which it has, are those of spreadsheets. SUMIF adds up each row that fits, also by ">6".
# An exact VLOOKUP of the number 17 finds the number and not the text 0017, and the other way around.
# Really: SUMIF looks at the first row of a column only: of Alice's 5 and 10 it is 5, and where the first row does not
# fit it is 0. By a number or a sign, it is 0 whatever fits. VLOOKUP compares as JavaScript's == does, so that 17 is
# 0017, and the first of both is found. ROUND(-2.5,0) is -2, and FLOOR ignores its second number. Nothing is said. What
# it does not have, as COUNTIF, is an error. SUM, SUMPRODUCT and MATCH are right, and a SUMIF over a row of cells is,
# too.
# What follows: a workbook's check that nobody gets more than a limit finds the first payment of each, and the amount of
# reference 0017 is paid for 17. Have a spreadsheet program calculate before the file is read. Our reader takes the
# results that the workbook has (terms/file/read-workbook.ts).
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts xlsx-calc@0.9.2 xlsx@0.18.5 \
  hyperformula@3.5.0 >/dev/null
cat >calculate.cjs <<'JS'
const { HyperFormula } = require("hyperformula");
const XLSX = require("xlsx");
const calculate = require("xlsx-calc");

const rows = [["alice", 5], ["bob", 7], ["alice", 10], ["0017", 100], [17, 3]];
const texts = rows.map(([name, points]) => [name === "0017" ? "'0017" : name, points]);
const beside = HyperFormula.buildFromArray(texts, { licenseKey: "gpl-v3" });
const formulas = [
  'SUMIF(A1:A5,"alice",B1:B5)',
  'SUMIF(A1:A5,"bob",B1:B5)',
  'SUMIF(B1:B5,">6",B1:B5)',
  "VLOOKUP(17,A1:B5,2,FALSE())",
  "ROUND(-2.5,0)",
  "FLOOR(12.34,0.1)",
  "SUM(B1:B5)",
  'MATCH("bob",A1:A5,0)',
];
for (const formula of formulas) {
  const sheet = XLSX.utils.aoa_to_sheet(rows);
  sheet.D1 = { t: "n", v: 0, f: formula.replace("FALSE()", "FALSE") };
  calculate({ SheetNames: ["S"], Sheets: { S: sheet } });
  beside.setCellContents({ sheet: 0, row: 0, col: 3 }, `=${formula}`);
  console.log(`${formula}: ${sheet.D1.v}, ${beside.getCellValue({ sheet: 0, row: 0, col: 3 })}`);
}
JS
seen=$(node calculate.cjs)
wanted='SUMIF(A1:A5,"alice",B1:B5): 5, 15
SUMIF(A1:A5,"bob",B1:B5): 0, 7
SUMIF(B1:B5,">6",B1:B5): 0, 117
VLOOKUP(17,A1:B5,2,FALSE()): 100, 3
ROUND(-2.5,0): -2, -3
FLOOR(12.34,0.1): 12, 12.3
SUM(B1:B5): 125, 125
MATCH("bob",A1:A5,0): 2, 2'
[ "$seen" = "$wanted" ] || { printf 'The results were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: SUMIF of xlsx-calc adds up the first row only, and 17 is 0017 to its VLOOKUP"
