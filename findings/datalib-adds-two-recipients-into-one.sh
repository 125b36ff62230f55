#!/usr/bin/env bash
# datalib 1.9.3 from npm, of the authors of Vega: groupby with summarize, unique, count.distinct, and read, which reads
# CSV.
# Expected: rows are one group where they agree in each of the columns, as in SQL, where null, a text "null", 1 and "1"
# are not the same. A day that no month has, such as 2026-11-31, stays a text.
# Really: the columns are joined to one text with a | between them. So "alice" of "season-3|7" is in one group with
# "alice|season-3" of "7", and gets the points of both. null is the text null, and 1 is "1", in groups as in unique and
# count.distinct, so that all rows without a reference are added to the one whose reference is "null". With the option
# parse: "auto", an address is a number, 5.177053552602076e+47, and 31 November is 1 December. Nothing is said. Names
# without a | and columns of one type are right, so a test with such shows nothing.
# What follows: a report by recipient and reference has a row less and a sum that nobody got, and two recipients are
# counted as one. Group by one column that was made by JSON.stringify of a list. This service groups in Postgres.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts datalib@1.9.3 >/dev/null
cd "$dir"
cat >groups.cjs <<'JS'
const dl = require("datalib");

const show = (value) => console.log(JSON.stringify(value));
const rows = [
  { to: "alice", reference: "season-3|7", points: 5 },
  { to: "alice|season-3", reference: "7", points: 100 },
  { to: "bob", reference: "null", points: 1 },
  { to: "bob", reference: null, points: 20 },
];
const groups = dl.groupby("to", "reference").summarize({ points: ["sum"] }).execute(rows);
for (const group of groups) show(group);
show(dl.unique([null, "null", 1, "1", "alice"]));
show(dl.count.distinct([null, "null", 1, "1", "alice"]));
const csv = "to,due\n0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed,2026-11-31\n";
const [{ to, due }] = dl.read(csv, { type: "csv", parse: "auto" });
show([to, new Date(due)]);
JS
seen=$(TZ=UTC node groups.cjs)
wanted='{"to":"alice","reference":"season-3|7","sum_points":105}
{"to":"bob","reference":"null","sum_points":21}
[null,1,"alice"]
3
[5.177053552602076e+47,"2026-12-01T00:00:00.000Z"]'
[ "$seen" = "$wanted" ] || { printf 'The groups were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: datalib adds alice of season-3|7 to alice|season-3 of 7"
