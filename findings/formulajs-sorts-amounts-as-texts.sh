#!/usr/bin/env bash
# @formulajs/formulajs 4.6.1 from npm, the functions of Excel in JavaScript.
# Expected: as in Excel, SORT brings numbers and dates in order, so TAKE of it gives those who have most. NETWORKDAYS
# counts working days "from" a later day too, which the documentation allows, as a number below zero.
# Really: SORT compares all as texts. Of 100, 90, 1000 and 95.5 points, the two most are 95.5 and 90. Dates are in order
# of the names of their weekdays, and -1 is less than -2. LARGE and RANKEQ beside it are right, and so is SORT where all
# numbers have as many digits, so a test with 10, 90 and 55 shows nothing. NETWORKDAYS from a later day counts each day,
# Saturdays and Sundays too: 28 for the 21 of November 2026.
# What follows: "the best hundred of the season" are paid who have few points, while those who have most are left out,
# and nothing is said. Sort before, by number. Lists are sorted by the database here, in which amounts are numbers.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts @formulajs/formulajs@4.6.1 >/dev/null
cat >"$dir/sort.mjs" <<'JS'
import { LARGE, NETWORKDAYS, RANKEQ, SORT, TAKE } from "@formulajs/formulajs";

const POINTS = { Alice: 100, Bob: 90, Carol: 1000, Dave: 95.5 };
const of = (numbers) => SORT(numbers.map((number) => [number])).join(" ");
console.log("best two:", TAKE(SORT(Object.entries(POINTS), 2, -1), 2).join(" "));
console.log("largest:", LARGE(Object.values(POINTS), 1), "rank of 1000:", RANKEQ(1000, Object.values(POINTS)));
console.log("sorted:", of([10, 90, 55]), "/", of([10, 9, 100]), "/", of([-2, -1, 3]));
const days = [[2026, 10, 29], [2026, 10, 30], [2026, 11, 4]].map((day) => [new Date(...day)]);
console.log("dates:", SORT(days).map(([day]) => `${day.getDate()}.${day.getMonth() + 1}.`).join(" "));
console.log("days:", NETWORKDAYS("11/1/2026", "11/30/2026"), NETWORKDAYS("11/30/2026", "11/1/2026"));
JS
seen=$(cd "$dir" && node sort.mjs)
wanted='best two: Dave,95.5 Bob,90
largest: 1000 rank of 1000: 1
sorted: 10 55 90 / 10 100 9 / -1 -2 3
dates: 4.12. 30.11. 29.11.
days: 21 -28'
[ "$seen" = "$wanted" ] || { printf 'The results were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: SORT of formulajs puts 95.5 and 90 points before 1000"
