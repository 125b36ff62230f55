#!/usr/bin/env bash
# qif2json 0.4.0 from npm, which reads the QIF files of banks and of Quicken.
# Expected: an amount is read as it is, with each comma between its thousands, also in a split. Each entry is read, and
# a day that is none is said to be one: an entry has <invalid date:"…"> for it.
# Really: the first comma is taken away, and what is behind the second one is cut off: 1,234,567.89 is 1234. In a split,
# none is taken away, and 1,000.00 is 1. An empty line ends the reading, and the entries behind it are not there. Days
# come before months unless the format says "us", and then 12/31/2026 is not invalid, but 12 July 2028: the 12th of the
# 31st month. Nothing is said. Amounts below a million and files without empty lines are right.
# What follows: of 1.2 million that came in, 1,234 are there, and the parts of an amount do not add up to it. Take the
# commas and empty lines away before. Statements here are CSV, with plain decimals (docs/statements.md).
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts qif2json@0.4.0 >/dev/null
cat >"$dir/read.cjs" <<'JS'
const { parse } = require("qif2json");
const read = (name, text, options) => {
  for (const { date, amount, payee, division = [] } of parse(`!Type:Bank\n${text}`, options).transactions)
    console.log([name, date.slice(0, 10), amount, payee, ...division.map((part) => part.amount)].join(" "));
};
read("thousands:", "D12/31/2026\nT1,234.50\nPAlice\n^\nD12/31/2026\nT-1,234,567.89\nPBob\n^\n", { dateFormat: "us" });
read("splits:", "D12/31/2026\nT1,500.00\nPCarol\nSWages\n$1,000.00\nSTravel\n$500.00\n^\n", { dateFormat: "us" });
read("empty line:", "D12/31/2026\nT5\nPDave\n^\n\nD12/31/2026\nT6\nPErin\n^\n", { dateFormat: "us" });
read("no format:", "D01/02/2027\nT7\nPFrank\n^\nD12/31/2026\nT8\nPGrace\n^\n");
JS
seen=$(cd "$dir" && TZ=UTC node read.cjs)
wanted='thousands: 2026-12-31 1234.5 Alice
thousands: 2026-12-31 -1234 Bob
splits: 2026-12-31 1500 Carol 1 500
empty line: 2026-12-31 5 Dave
no format: 2027-02-01 7 Frank
no format: 2028-07-12 8 Grace'
[ "$seen" = "$wanted" ] || { printf 'The entries were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: to qif2json, 1,234,567.89 is 1234, and an empty line is the end"
