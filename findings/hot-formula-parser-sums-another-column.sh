#!/usr/bin/env bash
# hot-formula-parser 4.0.0 from npm, which calculates formulas of spreadsheets. hyperformula 3.5.0 beside it.
# Expected: SUMIF and SUMIFS, which its documentation lists as supported, add up the amounts of the rows that fit, as
# everywhere. The remainder of MOD has the sign of the divisor: MOD(-7,3) is 2.
# Really: SUMIF with a column to compare and another one to add up adds up the one that it compared: of the amounts of
# three payments, those of a level above 1 are 7, which are the levels, instead of 12. With a name to compare it is
# #VALUE!. SUMIFS is 0, whatever fits, and no error. COUNTIFS and AVERAGEIF are right. MOD(-7,3) is 1.
# What follows: a page's preview of a workbook says what no spreadsheet says, and a check that what was paid to a
# recipient is not above a limit finds 0. Our reader takes the results that the workbook has, and calculates nothing
# (terms/file/read-workbook.ts).
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts hot-formula-parser@4.0.0 \
  hyperformula@3.5.0 >/dev/null
cat >"$dir/sum.cjs" <<'JS'
const { Parser } = require("hot-formula-parser");
const { HyperFormula } = require("hyperformula");

// Who, points and level.
const rows = [["Alice", 5, 3], ["Bob", 20, 1], ["Alice", 7, 4]];
const parser = new Parser();
parser.on("callRangeValue", (from, to, done) =>
  done(rows.slice(from.row.index, to.row.index + 1).map((row) => row.slice(from.column.index, to.column.index + 1))),
);
const engine = HyperFormula.buildFromArray(rows, { licenseKey: "gpl-v3" });
for (const formula of [
  'SUMIF(C1:C3,">1",B1:B3)',
  'SUMIF(A1:A3,"Alice",B1:B3)',
  'SUMIFS(B1:B3,C1:C3,">1")',
  'SUMIFS(B1:B3,A1:A3,"Alice")',
  'COUNTIFS(A1:A3,"Alice",C1:C3,">3")',
  'AVERAGEIF(A1:A3,"Alice",B1:B3)',
  "MOD(-7,3)",
]) {
  const { error, result } = parser.parse(formula);
  console.log(formula, error ?? result, engine.calculateFormula(`=${formula}`, 0));
}
JS
seen=$(cd "$dir" && node sum.cjs)
wanted='SUMIF(C1:C3,">1",B1:B3) 7 12
SUMIF(A1:A3,"Alice",B1:B3) #VALUE! 12
SUMIFS(B1:B3,C1:C3,">1") 0 12
SUMIFS(B1:B3,A1:A3,"Alice") 0 12
COUNTIFS(A1:A3,"Alice",C1:C3,">3") 1 1
AVERAGEIF(A1:A3,"Alice",B1:B3) 6 6
MOD(-7,3) 1 2'
[ "$seen" = "$wanted" ] || { printf 'The results were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: SUMIF of hot-formula-parser adds up the column that it compares, and SUMIFS is 0"
