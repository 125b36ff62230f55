#!/usr/bin/env bash
# json-parse-bigint 1.0.4 from npm, which makes texts of large whole numbers in JSON before it is parsed.
# Expected: as its documentation says, "all the big integers (≥ 16 digits)" become texts, so that no digit is lost.
# Really: those below zero do not: -298295614833079897 becomes the number -298295614833079900, as in JSON.parse.
# The same number without its minus, in the same document, is a text with all its digits.
# What follows: of a balance's changes in base units, those that came in are exact, and those that went out are
# rounded, and both are of another type. This service writes amounts as texts.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts json-parse-bigint@1.0.4 >/dev/null
cat >"$dir/parse.cjs" <<'JS'
const parse = require("json-parse-bigint");
for (const json of ['{"in":298295614833079897,"out":-298295614833079897}',
  "[1500000000000000001]", "[-1500000000000000001]"])
  console.log(JSON.stringify(parse(json)));
JS
seen=$(cd "$dir" && node parse.cjs)
wanted='{"in":"298295614833079897","out":-298295614833079900}
["1500000000000000001"]
[-1500000000000000000]'
[ "$seen" = "$wanted" ] || { printf 'The values were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: json-parse-bigint keeps the digits of 298295614833079897, and not of -298295614833079897"
