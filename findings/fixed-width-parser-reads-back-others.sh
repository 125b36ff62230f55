#!/usr/bin/env bash
# fixed-width-parser 3.0.0 from npm, lines in which each field has its columns, as files for banks have.
# @evologi/fixed-width 1.1.0 beside it.
# Expected: as its documentation says, a float has a point in the line (insertDecimal, "default: true") and 2 digits
# after it where none is given (decimalCount, "default: 2"). What it writes, it reads as it was.
# Really: without decimalCount, 5 is written as 5 and read as 0.05, as the 2 are for reading only, while 5.5 is right.
# With decimalCount 2, 5 is written as 500 and 5.5 as 5.50, so one column has amounts with a point and without. Less
# than nothing is read as 0 where the line has no point, as zeros are put before the minus: -500 is 0 and not -5. It is
# right where the number is as wide as its field. Nothing is said. @evologi/fixed-width reads 000100 as 1, with the
# options that wrote it: zeros before a number are its padding, and padding is cut off on both sides, as it documents.
# What follows: a bank pays a hundred times as much to some of a file, or a hundredth, and what was taken back is
# nothing in the sum. Give the one whole cents as int, and the other trim "left". Lists here are CSV files, with amounts
# as they are written.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts fixed-width-parser@3.0.0 \
  @evologi/fixed-width@1.1.0 >/dev/null
cat >"$dir/lines.cjs" <<'JS'
const { FixedWidthParser } = require("fixed-width-parser");
const evologi = require("@evologi/fixed-width");
const make = (width, options) => new FixedWidthParser([{ type: "float", name: "amount", start: 0, width, ...options }]);
const kinds = { float: {}, "2 decimals": { decimalCount: 2 }, "no point": { decimalCount: 2, insertDecimal: false } };
for (const [name, options] of Object.entries({ ...kinds, int: { type: "int" } })) {
  const parser = make(9, options);
  const said = (name === "int" ? [500, 550, -550] : [5, 5.5, 1200, -5, -5.5]).map((amount) => {
    const line = parser.unparse([{ amount }]);
    return `${amount} as ${line.trim()} is ${parser.parse(line)[0].amount}`;
  });
  console.log(`${name}: ${said.join(", ")}`);
}
for (const width of [4, 5, 9])
  console.log(`-500 in ${width} columns: ${make(width, kinds["no point"]).parse("-500".padStart(width))[0].amount}`);
const fields = [{ property: "amount", width: 6, align: "right", pad: "0", cast: Number }];
for (const trim of [true, "left"]) {
  const said = [24, 30, 100].map((amount) => {
    const line = evologi.stringify([{ amount }], { eol: "\n", trim, fields });
    return `${amount} as ${line.trim()} is ${evologi.parse(line, { eol: "\n", trim, fields })[0].amount}`;
  });
  console.log(`evologi, trim ${trim}: ${said.join(", ")}`);
}
JS
seen=$(cd "$dir" && node lines.cjs 2>&1)
wanted='float: 5 as 5 is 0.05, 5.5 as 5.5 is 5.5, 1200 as 1200 is 12, -5 as -5 is 0, -5.5 as -5.5 is -5.5
2 decimals: 5 as 500 is 5, 5.5 as 5.50 is 5.5, 1200 as 120000 is 1200, -5 as -500 is 0, -5.5 as -5.50 is -5.5
no point: 5 as 500 is 5, 5.5 as 550 is 5.5, 1200 as 120000 is 1200, -5 as -500 is 0, -5.5 as -550 is 0
int: 500 as 500 is 500, 550 as 550 is 550, -550 as -550 is -550
-500 in 4 columns: -5
-500 in 5 columns: 0
-500 in 9 columns: 0
evologi, trim true: 24 as 000024 is 24, 30 as 000030 is 3, 100 as 000100 is 1
evologi, trim left: 24 as 000024 is 24, 30 as 000030 is 30, 100 as 000100 is 100'
[ "$seen" = "$wanted" ] || { printf 'The amounts were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: fixed-width-parser writes 5 and reads 0.05, and reads -500 as 0"
