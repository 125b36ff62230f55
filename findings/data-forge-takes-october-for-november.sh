#!/usr/bin/env bash
# data-forge 1.10.5 from npm, a library of data frames: between, which takes rows by their index. startAt, endAt, before
# and after do it in the same way.
# Expected: as its documentation says, between has "all rows between the specified index values (inclusive)", with rows
# by their day as an example. Nothing is said of an order.
# Really: rows are skipped while they are too early, and then taken until one is too late. In a bank's statement, whose
# newest entry is the first, nothing is skipped, and November has all of October as well, and each month before. Where a
# later day is the first row, it has nothing. Nothing is said. Rows whose days ascend are right, so a test with such
# rows shows nothing.
# What follows: a sum of the month's payments is one of all payments, or 0. Sort by the index first, or use where with a
# condition. No code of ours is concerned: who reads statements and lists with it meets it.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts data-forge@1.10.5 >/dev/null
cat >month.cjs <<'JS'
const { DataFrame } = require("data-forge");

const entries = [["2026-10-05", 100], ["2026-10-31", 20], ["2026-11-02", 3], ["2026-11-30", 4], ["2026-12-01", 5000]];
const [first, last] = ["2026-11-01", "2026-11-30"].map((day) => new Date(day));
const add = (name, list) => {
  const rows = new DataFrame(list.map(([day, points]) => ({ day: new Date(day), points }))).setIndex("day");
  const sum = (part) => part.getSeries("points").sum();
  const exact = sum(rows.where(({ day }) => day >= first && day <= last));
  console.log(`${name}: between ${sum(rows.between(first, last))}, where ${exact}`);
};
add("oldest first", entries);
add("newest first", entries.slice(0, 4).reverse());
add("newest first, with December", [...entries].reverse());
add("by name", [2, 0, 3, 1].map((at) => entries[at]));
JS
seen=$(node month.cjs)
wanted='oldest first: between 7, where 7
newest first: between 127, where 7
newest first, with December: between 0, where 7
by name: between 127, where 7'
[ "$seen" = "$wanted" ] || { printf 'The sums were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: data-forge's between has October's rows in November where the newest comes first"
