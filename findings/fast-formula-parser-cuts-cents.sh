#!/usr/bin/env bash
# fast-formula-parser 1.0.19 from npm, which calculates formulas of spreadsheets. hyperformula 3.5.0 beside it.
# Expected: TRUNC(12.345,2) is 12.34, ROUNDDOWN(8.2,1) is 8.2, and a month after 31
# January is 28 February. Its documentation lists TRUNC, ROUNDDOWN and EDATE as supported, without limits.
# Really: TRUNC ignores its number of digits: TRUNC(12.345,2) is 12, and TRUNC(-1.999,2) is -1. ROUNDDOWN(8.2,1) is 8.1,
# though ROUNDDOWN(12.345,2) is 12.34. EDATE of 31 January by a month is 3 March. ROUND, INT and EOMONTH are right, and
# so is EDATE from days that the other month has.
# What follows: fees that were cut to cents lose all cents, and what is due each month is due three days late from
# January. Our reader takes the results that the workbook has, and calculates nothing (terms/file/read-workbook.ts).
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts fast-formula-parser@1.0.19 \
  hyperformula@3.5.0 >/dev/null
cat >"$dir/cut.cjs" <<'JS'
const FormulaParser = require("fast-formula-parser");
const { HyperFormula } = require("hyperformula");

const parser = new FormulaParser();
const engine = HyperFormula.buildFromArray([[1]], { licenseKey: "gpl-v3" });
for (const formula of [
  "TRUNC(12.345,2)",
  "TRUNC(-1.999,2)",
  "TRUNC(1234567,-3)",
  "ROUNDDOWN(8.2,1)",
  "ROUNDDOWN(12.345,2)",
  "ROUND(12.345,2)",
  'TEXT(EDATE(DATE(2026,1,31),1),"yyyy-mm-dd")',
  'TEXT(EDATE(DATE(2026,1,28),1),"yyyy-mm-dd")',
  'TEXT(EOMONTH(DATE(2026,1,31),1),"yyyy-mm-dd")',
])
  console.log(formula, parser.parse(formula, { row: 1, col: 1 }), engine.calculateFormula(`=${formula}`, 0));
JS
seen=$(cd "$dir" && node cut.cjs)
wanted='TRUNC(12.345,2) 12 12.34
TRUNC(-1.999,2) -1 -1.99
TRUNC(1234567,-3) 1234567 1234000
ROUNDDOWN(8.2,1) 8.1 8.2
ROUNDDOWN(12.345,2) 12.34 12.34
ROUND(12.345,2) 12.35 12.35
TEXT(EDATE(DATE(2026,1,31),1),"yyyy-mm-dd") 2026-03-03 2026-02-28
TEXT(EDATE(DATE(2026,1,28),1),"yyyy-mm-dd") 2026-02-28 2026-02-28
TEXT(EOMONTH(DATE(2026,1,31),1),"yyyy-mm-dd") 2026-02-28 2026-02-28'
[ "$seen" = "$wanted" ] || { printf 'The results were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: TRUNC of fast-formula-parser cuts all cents off, and a month after 31 January is 3 March"
