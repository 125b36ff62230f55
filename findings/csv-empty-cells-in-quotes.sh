#!/usr/bin/env bash
# Readers of CSV from npm: csvsync 1.3.3 and csv-lite-js 1.1.0; csv-string 4.1.1 beside them.
# Expected: "" between commas is an empty cell, as by RFC 4180, and """" a cell with one quote.
# Really: to csvsync, "" is a cell with one quote. To csv-lite-js it is two empty cells, and """" are three, so that
# all behind it is in other columns, and a text that begins with a quote is two cells. All other texts are
# right, and so are empty cells without quotes. Postgres writes each empty text as "" in COPY, since without
# quotes it would be null.
# What follows: a recipient without a reference gets the reference ", and the amount is in the column of another.
# Have empty cells written without quotes, and compare the number of cells with that of the headings.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts csvsync@1.3.3 csv-lite-js@1.1.0 \
  csv-string@4.1.1 >/dev/null
cat >"$dir/read.cjs" <<'JS'
const lite = require("csv-lite-js").default;
const string = require("csv-string");
const sync = require("csvsync");
for (const line of [
  'alice,"",1.5', "alice,,1.5", 'alice,"",1.5,"a, b"', 'alice,"""",1.5', 'alice,"""a"" b",1.5', 'alice,"a ""b""",1.5'])
  console.log(line, ...[sync, lite, string].map((reader) => JSON.stringify(reader.parse(`${line}\n`)[0])));
JS
seen=$(cd "$dir" && node read.cjs)
wanted='alice,"",1.5 ["alice","\"","1.5"] ["alice","","",1.5] ["alice","","1.5"]
alice,,1.5 ["alice","","1.5"] ["alice","",1.5] ["alice","","1.5"]
alice,"",1.5,"a, b" ["alice","\"","1.5","a, b"] ["alice","","",1.5,"a, b"] ["alice","","1.5","a, b"]
alice,"""",1.5 ["alice","\"","1.5"] ["alice","","","",1.5] ["alice","\"","1.5"]
alice,"""a"" b",1.5 ["alice","\"a\" b","1.5"] ["alice","","a\" b",1.5] ["alice","\"a\" b","1.5"]
alice,"a ""b""",1.5 ["alice","a \"b\"","1.5"] ["alice","a \"b\"",1.5] ["alice","a \"b\"","1.5"]'
[ "$seen" = "$wanted" ] || { printf 'The rows were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo 'ok: csvsync reads "" as a quote, and csv-lite-js as two cells'
