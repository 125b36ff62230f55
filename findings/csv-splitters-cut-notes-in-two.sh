#!/usr/bin/env bash
# Splitters of CSV from npm: csv-splitter 1.1.0 and csv-split-stream 1.0.2. papaparse 5.7.1 reads what they write.
# Expected: each row is in one of the files. By the first one's documentation, every file "has at most <max-rows>", and
# it counts entries; by the second one's, each has a number of lines, "excluding the header row". A cell in quotes may
# have a line break, as by RFC 4180.
# Really: both count lines, also within quotes, and cut there. The first file ends in the middle of Alice's note, and
# the second one begins with its rest, as a row: Mallory, whom only the note names, has 900 in it, and Dave's payment is
# in Mallory's note. Nothing is said. To csv-splitter, the heading is an entry of the first file, which has one row
# less. Without line breaks in cells, all rows are right.
# What follows: the batches of a payout pay more than it has and leave somebody out, and who writes a note decides whom
# they pay. Split by the rows that a reader of CSV has found, as is done here (terms/file/split-parts.ts).
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts csv-splitter@1.1.0 csv-split-stream@1.0.2 \
  papaparse@5.7.1 >/dev/null
printf 'to,points,note\nBob,6,tea\nCarol,7,tea\nAlice,5,"for:\nMallory,900,"\nDave,8,tea\n' >payout.csv
npx --no-install csv-splitter payout.csv 4 -o . >/dev/null
cat >split.cjs <<'JS'
const { createReadStream, createWriteStream, readFileSync } = require("node:fs");
const { finished } = require("node:stream/promises");
const { split } = require("csv-split-stream");
const { parse } = require("papaparse");

const show = (name, file) => {
  const { data } = parse(readFileSync(file, "utf8"), { header: true, skipEmptyLines: true });
  console.log(`${name}: ${data.map(({ to, points }) => `${to} ${points}`).join(", ")}`);
};
show("payout", "payout.csv");
for (const number of [1, 2]) show("csv-splitter", `payout_${number}.csv`);
(async () => {
  const files = [];
  await split(createReadStream("payout.csv"), { lineLimit: 3 }, (index) => {
    files.push(createWriteStream(`${index}.csv`));
    return files.at(-1);
  });
  await Promise.all(files.map((file) => file.closed || finished(file)));
  for (const { path } of files) show("csv-split-stream", path);
})();
JS
seen=$(node split.cjs)
wanted='payout: Bob 6, Carol 7, Alice 5, Dave 8
csv-splitter: Bob 6, Carol 7, Alice 5
csv-splitter: Mallory 900
csv-split-stream: Bob 6, Carol 7, Alice 5
csv-split-stream: Mallory 900'
[ "$seen" = "$wanted" ] || { printf 'The files had\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: splitters of CSV pay who is named in a note"
