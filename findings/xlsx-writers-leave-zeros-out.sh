#!/usr/bin/env bash
# Writers of workbooks from npm: xlsx-writestream 0.5.1 and icg-json-to-xlsx 0.2.5; json-as-xlsx 2.6.4 beside
# them. xlsx (SheetJS) 0.18.5 reads what they write.
# Expected: the number 0 is a cell with 0, and only what is missing is empty.
# Really: to both, 0 is an empty text, as null is. "0" and 0.5 stay. xlsx-writestream also takes line breaks
# out of texts and puts nothing in their place. icg-json-to-xlsx puts its headings into the list that it was
# given, so that a program that continues with the list has a first entry more.
# What follows: an account with a balance of 0 has none in the workbook, and a list that is paid after it was
# exported has a recipient named "To". Give them texts, and a copy of the list.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts xlsx-writestream@0.5.1 \
  icg-json-to-xlsx@0.2.5 json-as-xlsx@2.6.4 xlsx@0.18.5 >/dev/null
cat >"$dir/write.cjs" <<'JS'
const { writeFileSync } = require("node:fs");
const icg = require("icg-json-to-xlsx");
const asXlsx = require("json-as-xlsx");
const xlsx = require("xlsx");
const writestream = require("xlsx-writestream");

const lists = () => [0, "0", 0.5, null].map((points) => ({ to: "Alice", points, note: "May\n2026" }));
const columns = ["to", "points", "note"].map((name) => ({ label: name, value: name }));
const show = (name, list) => {
  const { Sheets, SheetNames } = xlsx.readFile(`${name}.xlsx`);
  const rows = xlsx.utils.sheet_to_json(Sheets[SheetNames[0]], { header: 1 }).slice(1);
  const amounts = rows.map(([, points]) => points);
  console.log(name, JSON.stringify(amounts), JSON.stringify(rows[0][2]), list.length);
};
const list = lists();
writestream.write("writestream.xlsx", list, () => {
  show("writestream", list);
  const other = lists();
  const { log } = console;
  console.log = () => undefined; // It prints every row.
  icg.writeFile("icg.xlsx", other);
  console.log = log;
  show("icg", other);
  console.log(JSON.stringify(other[0]));
  const third = lists();
  const options = { writeOptions: { type: "buffer", bookType: "xlsx" } };
  writeFileSync("as-xlsx.xlsx", asXlsx([{ sheet: "Payout", columns, content: third }], options));
  show("as-xlsx", third);
});
JS
seen=$(cd "$dir" && node write.cjs)
wanted='writestream ["","0",0.5,""] "May2026" 4
icg ["","0",0.5,""] "May\n2026" 5
{"to":"To","points":"Points","note":"Note"}
as-xlsx [0,"0",0.5,""] "May\n2026" 4'
[ "$seen" = "$wanted" ] || { printf 'The lists were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: xlsx-writestream and icg-json-to-xlsx leave cells of 0 empty"
