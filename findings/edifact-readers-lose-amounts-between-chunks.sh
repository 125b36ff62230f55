#!/usr/bin/env bash
# Readers of EDIFACT, which payments between companies are in, from npm: edifact 1.2.12, and ts-edifact 0.0.14 with
# htmlparser2 6.1.0, which it uses and does not name.
# Expected: as their documentation says, each is "an ES6 streaming parser", whose write is called for each piece of a
# file. In EDIFACT, a question mark takes the meaning of the next sign away: A?+B is A+B, and "Paid??" ends with one
# question mark. So a file has the same segments, wherever it is cut.
# Really: where a piece ends with such a question mark, it is forgotten, and the next sign, which begins the next
# piece, has its meaning again. A?+B is then two elements, so all behind it is in the next column. Of "Paid??", the
# second one counts for the quote that ends the segment, so that the next segment, which is the amount (MOA), is text
# of this one. Nothing is said. Node reads files in pieces of 65536 bytes, so smaller ones are right, and each larger
# one has a chance to be read so.
# What follows: of a thousand payments, one has no amount or another reference, depending on what is before it, and the
# same file sent again is read so again. Read the file as a whole. Lists here are CSV and JSON, and cut by their rows.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts edifact@1.2.12 ts-edifact@0.0.14 \
  htmlparser2@6.1.0 >/dev/null
cat >"$dir/read.cjs" <<'JS'
const { createReadStream, writeFileSync } = require("node:fs");
const EdifactParser = require("edifact/parser.js");
const { Parser } = require("ts-edifact");

const parsers = {
  edifact: (on) => {
    const parser = new EdifactParser();
    for (const name of ["opensegment", "element", "component"]) parser.on(name, on[name]);
    return parser;
  },
  "ts-edifact": (on) => Object.assign(new Parser(),
    { onOpenSegment: on.opensegment, onElement: on.element, onComponent: on.component }),
};
const read = async (name, pieces) => {
  const segments = [];
  const parser = parsers[name]({ opensegment: (segment) => segments.push([segment]),
    element: () => segments.at(-1).push([]), component: (text) => segments.at(-1).at(-1).push(text) });
  for await (const piece of pieces) parser.write(piece);
  parser.end();
  return segments.filter(([segment]) => segment !== "PAD").map((segment) => segment.join("|")).join("  ");
};
(async () => {
  for (const payment of ["RFF+PQ:A?+B:C'MOA+9:100'MOA+9:200'", "RFF+PQ:PAID??'MOA+9:100'MOA+9:200'"]) {
    // A line before it is so long that the first 65536 bytes end with the first question mark.
    const text = `PAD+${"X".repeat(65536 - payment.indexOf("?") - "PAD+'?".length)}'${payment}`;
    writeFileSync("payments.edi", text);
    for (const name of Object.keys(parsers)) {
      console.log(`${name}, whole:  ${await read(name, [text])}`);
      console.log(`${name}, pieces: ${await read(name, createReadStream("payments.edi", "utf8"))}`);
    }
  }
})();
JS
seen=$(cd "$dir" && node read.cjs 2>/dev/null)
wanted="edifact, whole:  RFF|PQ,A+B,C  MOA|9,100  MOA|9,200
edifact, pieces: RFF|PQ,A|B,C  MOA|9,100  MOA|9,200
ts-edifact, whole:  RFF|PQ,A+B,C  MOA|9,100  MOA|9,200
ts-edifact, pieces: RFF|PQ,A|B,C  MOA|9,100  MOA|9,200
edifact, whole:  RFF|PQ,PAID?  MOA|9,100  MOA|9,200
edifact, pieces: RFF|PQ,PAID'MOA|9,100  MOA|9,200
ts-edifact, whole:  RFF|PQ,PAID?  MOA|9,100  MOA|9,200
ts-edifact, pieces: RFF|PQ,PAID'MOA|9,100  MOA|9,200"
[ "$seen" = "$wanted" ] || { printf 'They read\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: edifact and ts-edifact lose an amount where a file is cut behind a question mark"
