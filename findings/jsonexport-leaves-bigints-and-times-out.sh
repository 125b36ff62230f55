#!/usr/bin/env bash
# jsonexport 3.2.0 from npm, a writer of CSV. convert-array-to-csv 2.0.0 beside it.
# Expected: an amount in base units, which ethers and viem give as bigint, and a moment, which drivers give as a Date,
# are written so that they can be read again, or are refused. Its documentation shows a handler with which dates are
# written in another way, and says nothing of bigints.
# Really: the cell of a bigint is empty, also within a list, while the same amount as a text or a number is
# written. Of a Date, the day is left, as the process's locale writes it in its time zone, such as 1/1/2027, so that
# two payouts of a day have one time. Nothing is said.
# What follows: a list of recipients has no amounts, and a payout of the last hour of a year is in the next. Give it
# texts. Times here are texts in UTC, and rows without an amount are errors to our reader, never 0.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts jsonexport@3.2.0 \
  convert-array-to-csv@2.0.0 >/dev/null
cat >"$dir/write.cjs" <<'JS'
const { convertArrayToCSV } = require("convert-array-to-csv");
const jsonexport = require("jsonexport");
const rows = [
  { to: "alice", wei: 5n, at: new Date("2026-12-31T23:30:00Z"), note: "x" },
  { to: "bob", wei: "5", at: "2026-12-31T23:30:00Z" },
  { to: "carol", wei: 5, at: new Date("2026-12-31T22:30:00Z"), note: "" },
];
jsonexport(rows).then((text) => {
  console.log(text);
  console.log(convertArrayToCSV(rows.slice(0, 1).map(({ to, wei }) => ({ to, wei }))).trim());
});
JS
seen=$(cd "$dir" && LC_ALL=en_US.UTF-8 TZ=Europe/Berlin node write.cjs)
wanted='to,wei,at,note
alice,,1/1/2027,x
bob,5,2026-12-31T23:30:00Z,
carol,5,12/31/2026,
to,wei
alice,5'
[ "$seen" = "$wanted" ] || { printf 'The rows were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: jsonexport leaves amounts that are bigints empty, and writes the day of a moment only"
