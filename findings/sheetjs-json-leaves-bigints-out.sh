#!/usr/bin/env bash
# xlsx (SheetJS) 0.18.5 from npm, json_to_sheet and aoa_to_sheet.
# Expected: amounts in base units, which ethers and viem give as bigint, are written, or refused as exceljs
# 4.4.0 does ("Do not know how to serialize a BigInt").
# Really: a list of arrays keeps them as texts. Of a list of objects, the cell of each stays empty, in .xlsx
# and CSV, without an error: a list of recipients without amounts.
# What follows: give it amounts as texts. Rows without an amount are errors to our reader, never 0.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts xlsx@0.18.5 exceljs@4.4.0 >/dev/null
cat >"$dir/write.cjs" <<'JS'
const { Workbook } = require("exceljs");
const { read, write, utils } = require("xlsx");
const amount = 12345678901234567890n;
const lists = {
  arrays: utils.aoa_to_sheet([["to", "points"], ["0xa1", amount]]),
  objects: utils.json_to_sheet([{ to: "0xa1", points: amount }]),
};
for (const [name, sheet] of Object.entries(lists)) {
  const book = utils.book_new();
  utils.book_append_sheet(book, sheet, "list");
  const { Sheets } = read(write(book, { type: "buffer", bookType: "xlsx" }));
  console.log(name, utils.sheet_to_csv(sheet).split("\n")[1], JSON.stringify(utils.sheet_to_json(Sheets.list)));
}
try {
  new Workbook().addWorksheet("list").addRow(["0xa1", amount]);
  console.log("exceljs: taken");
} catch (error) {
  console.log("exceljs:", error.message);
}
JS
seen=$(cd "$dir" && node write.cjs)
wanted='arrays 0xa1,12345678901234567890 [{"to":"0xa1","points":"12345678901234567890"}]
objects 0xa1, [{"to":"0xa1"}]
exceljs: Do not know how to serialize a BigInt'
[ "$seen" = "$wanted" ] || { printf 'They wrote\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: json_to_sheet of SheetJS leaves amounts out that are bigint"
