#!/usr/bin/env bash
# Writers of CSV from npm: export-to-csv 1.5.0 and csvjson 5.1.0.
# Expected: a reference comes out as it went in, quoted where it must be, and one that is missing is an
# empty cell.
# Really: export-to-csv writes null, which a database gives for a missing one, as the text "null"; undefined
# is empty. csvjson replaces each comma by a tab. With its option `wrap` it quotes cells instead, but leaves
# the quotes in them single.
# What follows: a contract pays a reference once, so the text null is paid for one row, and refused for all
# others, also next month. "season 3, row 7" with a tab is another reference, which is paid again. Compare
# what was written with what was meant.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts export-to-csv@1.5.0 csvjson@5.1.0 >/dev/null
cat >"$dir/write.mjs" <<'JS'
import csvjson from "csvjson";
import { asString, generateCsv, mkConfig } from "export-to-csv";
const rows = [null, undefined, "order-7"].map((reference) => ({ points: "5", reference }));
const csv = asString(generateCsv(mkConfig({ columnHeaders: ["points", "reference"], useBom: false }))(rows));
console.log(csv.trim().split(/\r?\n/).slice(1).join(" "));
const row = { reference: 'season "3", row 7', points: "5" };
for (const wrap of [false, true]) console.log(JSON.stringify(csvjson.toCSV([row], { headers: "key", wrap })));
JS
seen=$(cd "$dir" && node write.mjs)
wanted='"5","null" "5","" "5","order-7"
"reference,points\nseason \"3\"\t row 7,5"
"\"reference\",\"points\"\n\"season \"3\", row 7\",\"5\""'
[ "$seen" = "$wanted" ] || { printf 'They wrote\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: export-to-csv writes null as a text, and csvjson replaces commas by tabs"
