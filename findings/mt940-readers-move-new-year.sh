#!/usr/bin/env bash
# Readers of bank statements in SWIFT's MT940, from npm: mt940js 1.3.5, swiftmessageparser 1.2.1 and mt940-js 1.0.0,
# which needs tslib.
# Expected: of an entry, :61: has the value date with its year, and the day it was booked as month and day, which is
# the one nearest to it: 2 January 2027 with 1231 was booked on 31 December 2026. C is money in, and RC, the
# reversal of a credit, money out.
# Really: all three give both dates one year. What was booked on 31 December 2026 for 2 January is booked on 31
# December 2027, and what was booked on 2 January 2027 for 31 December is booked on 2 January 2026. On all other days
# they are right. To mt940-js, RC is a credit, RD is none, its amounts have no sign, and isExpense is true for each
# entry but for three codes of two Dutch banks, credits included.
# What follows: money of the last days of a year is in the wrong year's statement, and a credit that was taken back
# is counted twice as paid in. In the statements here, a month is that of the time at which points moved, in UTC.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts mt940js@1.3.5 swiftmessageparser@1.2.1 \
  mt940-js@1.0.0 tslib@2.8.1 >/dev/null
cat >"$dir/read.cjs" <<'JS'
const { Parser } = require("mt940js");
const { read } = require("mt940-js");
const swift = require("swiftmessageparser");
const lines = ["2611301130C10,00NTRFONE", "2611301130RC5,00NTRFTWO", "2701021231C3,00NTRFTHREE",
  "2612310102D1,00NTRFFOUR"];
const text = [":20:START", ":25:12345678/1", ":28C:1/1", ":60F:C261130EUR100,00",
  ...lines.flatMap((line) => [`:61:${line}`, ":86:text"]), ":62F:C261130EUR107,00", "-", ""].join("\r\n");
const day = (date) => new Date(date).toISOString().slice(0, 10);
(async () => {
  const statements = [new Parser().parse(text), swift.parse({ type: "mt940", data: text }),
    await read(Buffer.from(text))];
  lines.forEach((line, at) => {
    const seen = statements.map(([{ transactions }]) => {
      const { amount, isCredit, isExpense, entryDate } = transactions[at];
      const said = isExpense === undefined ? "" : ` ${isCredit ? "credit" : "debit"}, expense: ${isExpense}`;
      return `${amount} ${day(entryDate)}${said}`;
    });
    console.log(line.split("NTRF")[0], "|", seen.join(" | "));
  });
})();
JS
seen=$(cd "$dir" && node read.cjs)
wanted='2611301130C10,00 | 10 2026-11-30 | 10 2026-11-30 | 10 2026-11-30 credit, expense: true
2611301130RC5,00 | -5 2026-11-30 | -5 2026-11-30 | 5 2026-11-30 credit, expense: true
2701021231C3,00 | 3 2027-12-31 | 3 2027-12-31 | 3 2027-12-31 credit, expense: true
2612310102D1,00 | -1 2026-01-02 | -1 2026-01-02 | 1 2026-01-02 debit, expense: true'
[ "$seen" = "$wanted" ] || { printf 'The entries were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: readers of MT940 book 31 December a year late, and one takes a reversed credit for a credit"
