#!/usr/bin/env bash
# csv-load-sync 2.3.1 from npm, a reader of CSV.
# Expected: an apostrophe is a sign like others, as in RFC 4180, whose only quotes are ". The documentation shows
# such quotes only. "" within quotes is one quote.
# Really: of a cell with an apostrophe, what stands behind the last one is left: O'Brien is Brien, it's is s, and
# 1'234'567.50, as amounts are written in Switzerland, is 567.50. So it is with quotes: "5 ""gold""" is empty.
# Nothing is said. Texts in quotes without apostrophes and quotes are right, also with commas.
# What follows: a recipient gets 567.50 of 1'234'567.50, and a reference becomes another one. Our reader proposes
# 1234567.50, and a person decides.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts csv-load-sync@2.3.1 >/dev/null
cat >"$dir/read.cjs" <<'JS'
const { parseCSV } = require("csv-load-sync");
const rows = ["O'Brien,5,season 3", "alice,1'234'567.50,Ann's share", 'bob,6,"5 ""gold"""', 'carol,7,"a, b"'];
for (const row of rows) console.log(Object.values(parseCSV(`to,points,note\n${row}\n`)[0]).join("|"));
JS
seen=$(cd "$dir" && node read.cjs)
wanted='Brien|5|season 3
alice|567.50|s share
bob|6|
carol|7|a, b'
[ "$seen" = "$wanted" ] || { printf 'The cells were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: csv-load-sync makes 567.50 of 1'234'567.50"
