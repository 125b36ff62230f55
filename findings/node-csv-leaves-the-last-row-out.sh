#!/usr/bin/env bash
# node-csv 0.1.2 from npm, a reader of CSV.
# Expected: as its documentation says, "1,2,3\n4,5,6" is [[1,2,3],[4,5,6]]. By RFC 4180 the last row may or may not
# end with a line break.
# Really: that example is [["1","2","3"]]. A row is given out when its line break is read, so the last one is not
# if it has none, and nothing is said. So is a list of one row empty but for its headings. Also, "" is null, and
# an empty cell without quotes is an empty text.
# What follows: a list that was typed, pasted or joined by a program pays all but its last recipient. Count the
# rows, or end the text with a line break. Our reader takes both.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts node-csv@0.1.2 >/dev/null
cat >"$dir/read.cjs" <<'JS'
const read = (text) => require("node-csv").createParser().parse(text, (_, rows) => console.log(JSON.stringify(rows)));
for (const text of ["1,2,3\n4,5,6", "1,2,3\n4,5,6\n", 'to,points\nalice,"5"', 'alice,,""\n']) read(text);
JS
seen=$(cd "$dir" && node read.cjs)
wanted='[["1","2","3"]]
[["1","2","3"],["4","5","6"]]
[["to","points"]]
[["alice","",null]]'
[ "$seen" = "$wanted" ] || { printf 'The rows were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: node-csv leaves the last row out if no line break ends it"
