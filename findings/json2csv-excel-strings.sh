#!/usr/bin/env bash
# json2csv 5.0.7 (npm), its option excelStrings.
# Expected: texts are protected from spreadsheets as ="…", and headings stay names.
# Really: each heading becomes ="…", too, so that a reader that knows columns by name knows none, and takes the heading for
# a row. Numbers are written plainly, so the form says nothing about the whole column either.
# What follows: a cell of the form ="…" is read as its text before columns are looked for, headings included.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --silent --no-fund --no-audit --prefix "$dir" json2csv@5.0.7 >/dev/null
cat >"$dir/write.cjs" <<'JS'
const { parse } = require("json2csv");
process.stdout.write(parse([{ address: "0x12", points: 1.5 }], { excelStrings: true }));
JS
seen=$(node "$dir/write.cjs")
wanted=$'"=""address""","=""points"""\n"=""0x12""",1.5'
[ "$seen" = "$wanted" ] || { printf 'json2csv wrote\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: json2csv writes headings as formulas, too, with excelStrings"
