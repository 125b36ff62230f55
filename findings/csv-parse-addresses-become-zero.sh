#!/usr/bin/env bash
# CSV readers that guess types, from npm: csv-parse 7.0.3 (cast), xlsx (SheetJS) 0.18.5, exceljs 4.4.0,
# d3-dsv 3.0.2 (autoType), udsv 0.7.3, alasql 4.19.1; papaparse 5.7.1 (dynamicTyping), csvtojson 2.0.14
# (checkType).
# Expected: an address such as 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed stays a text, as in papaparse and
# csvtojson.
# Really: csv-parse makes every address 0: it asks whether the text minus its number is at least -1, for
# which JavaScript reads 0x… as hexadecimal, and then takes parseFloat, which ends at the x. The others make
# it 5.177053552602076e+47. All say nothing, and the same happens to hashes and roots.
# What follows: a file that went through them has lost its recipients. Read our files without guessing, as
# text.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts csv-parse@7.0.3 xlsx@0.18.5 exceljs@4.4.0 \
  d3-dsv@3.0.2 udsv@0.7.3 alasql@4.19.1 papaparse@5.7.1 csvtojson@2.0.14 >/dev/null
cat >"$dir/read.mjs" <<'JS'
import { createRequire } from "node:module";
import { Readable } from "node:stream";
import { autoType, csvParse } from "d3-dsv";
import { inferSchema, initParser } from "udsv";
const require = createRequire(import.meta.url);
const csv = "to_address,points\n0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed,1234.5\n";
const sheets = require("xlsx");
const book = sheets.read(csv, { type: "string" });
const sheet = await new (require("exceljs").Workbook)().csv.read(Readable.from([csv]));
const first = {
  "csv-parse": require("csv-parse/sync").parse(csv, { columns: true, cast: true })[0].to_address,
  xlsx: sheets.utils.sheet_to_json(book.Sheets[book.SheetNames[0]])[0].to_address,
  exceljs: sheet.getCell("A2").value,
  "d3-dsv": csvParse(csv, autoType)[0].to_address,
  udsv: initParser(inferSchema(csv)).typedObjs(csv)[0].to_address,
  alasql: (await require("alasql").promise("select * from csv(?, {headers: true})", [csv]))[0].to_address,
  papaparse: require("papaparse").parse(csv, { header: true, dynamicTyping: true }).data[0].to_address,
  csvtojson: (await require("csvtojson")({ checkType: true }).fromString(csv))[0].to_address,
};
for (const [name, value] of Object.entries(first)) console.log(name, typeof value, value);
JS
seen=$(cd "$dir" && node read.mjs)
wanted='csv-parse number 0
xlsx number 5.177053552602076e+47
exceljs number 5.177053552602076e+47
d3-dsv number 5.177053552602076e+47
udsv number 5.177053552602076e+47
alasql number 5.177053552602076e+47
papaparse string 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed
csvtojson string 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
[ "$seen" = "$wanted" ] || { printf 'They read\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: csv-parse makes each address 0, and five other readers a number"
