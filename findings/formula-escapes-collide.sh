#!/usr/bin/env bash
# papaparse 5.7.1 (escapeFormulae) and csv-stringify 6.9.0 (escape_formulas), npm.
# Expected: what protects a cell from spreadsheets can be taken away again, so that a file can be read back.
# Really: both put an apostrophe before =x, and leave 'x and '=x as they are: the values =x and '=x become one cell, and no
# reader can distinguish them.
# What follows: the service's own export also adds one where apostrophes come before the sign, so that each cell has one
# value. In another program's file, an apostrophe before a reference is never taken away without asking.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --silent --no-fund --no-audit --prefix "$dir" papaparse@5.7.1 csv-stringify@6.9.0 >/dev/null
cat >"$dir/write.cjs" <<'JS'
const Papa = require("papaparse");
const { stringify } = require("csv-stringify/sync");
const cell = (text) => text.trim().replaceAll('"', "");
for (const value of ["=x", "'=x"])
  console.log(
    cell(Papa.unparse([[value]], { escapeFormulae: true })),
    cell(stringify([[value]], { escape_formulas: true })),
  );
JS
seen=$(node "$dir/write.cjs")
wanted=$'\'=x \'=x\n\'=x \'=x'
[ "$seen" = "$wanted" ] || { printf 'they wrote\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: with their protection on, papaparse and csv-stringify write two values as one cell"
