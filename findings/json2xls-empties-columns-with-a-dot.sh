#!/usr/bin/env bash
# json2xls 0.1.2 from npm, which makes a workbook of a list of objects. xlsx (SheetJS) 0.18.5 reads what it writes.
# Expected: each property of the objects is a column with its values, as in the examples of its documentation. A name
# may have a dot, as "amt." and "No." are common headings.
# Really: a dot in a name is taken for a path into the object, so that such a column has its heading and is empty. Its
# columns are the properties of the first object: where that has no reference, no row has one. Nothing is said. Names
# without dots and objects with all properties are right, so a test with such shows nothing.
# What follows: a list of payments has no amounts, and where the first row has no reference, none has, so that nothing
# shows which of them were paid before. Replace dots in names, and give each object all properties. Rows without an
# amount are errors to our reader, never 0.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts json2xls@0.1.2 xlsx@0.18.5 >/dev/null
cat >write.cjs <<'JS'
const json2xls = require("json2xls");
const XLSX = require("xlsx");

const write = (rows) => {
  const book = XLSX.read(Buffer.from(json2xls(rows), "binary"), { type: "buffer" });
  console.log(XLSX.utils.sheet_to_csv(book.Sheets[book.SheetNames[0]]).trim().split("\n").join(" / "));
};
write([{ to: "alice", points: 5 }, { to: "bob", points: 6 }]);
write([{ "No.": 1, to: "alice", "amt.": 5 }, { "No.": 2, to: "bob", "amt.": 6 }]);
write([{ to: "alice", points: 5 }, { to: "bob", points: 6, reference: "season-3" }]);
JS
seen=$(node write.cjs)
wanted='to,points / alice,5 / bob,6
No.,to,amt. / ,alice, / ,bob,
to,points / alice,5 / bob,6'
[ "$seen" = "$wanted" ] || { printf 'The workbooks had\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: json2xls writes nothing into a column named amt."
