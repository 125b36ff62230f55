#!/usr/bin/env bash
# comma-separated-values 3.6.4 from npm, a reader of CSV.
# Expected: as its documentation says, "full RFC 4180 compliance": rows end with CRLF, and a cell in quotes may
# have any line break. The line delimiter is detected.
# Really: it is detected in cells, too. One cell with a line feed, and the rows of the whole file end with line
# feeds. So the last cell of each row, and of the headings, gets a carriage return. If it was in quotes, it also
# keeps the last one. Without such a cell, or with a CRLF in it, all is right.
# What follows: Excel ends rows with CRLF, and writes a line feed for Alt+Enter. One note of two lines, and there
# is no column "points" but one of another name, or references are others than those that were paid before. Our
# files end rows with CRLF as well. Give it lineDelimiter: "\r\n".
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts comma-separated-values@3.6.4 >/dev/null
cat >"$dir/read.cjs" <<'JS'
const CSV = require("comma-separated-values");
const list = (note) => `note,points\r\n"${note}","5"\r\nnone,6\r\n`;
const show = (text, options) => console.log(JSON.stringify(CSV.parse(text, options)));
for (const note of ["one line", "two\r\nlines", "two\nlines"]) show(list(note));
show(list("two\nlines"), { lineDelimiter: "\r\n" });
JS
seen=$(cd "$dir" && node read.cjs)
wanted='[["note","points"],["one line","5"],["none","6"]]
[["note","points"],["two\r\nlines","5"],["none","6"]]
[["note","points\r"],["two\nlines","5\""],["none","6\r"]]
[["note","points"],["two\nlines","5"],["none","6"]]'
[ "$seen" = "$wanted" ] || { printf 'The cells were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: one cell with a line feed gives all rows of comma-separated-values a carriage return"
