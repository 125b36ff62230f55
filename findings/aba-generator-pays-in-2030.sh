#!/usr/bin/env bash
# aba-generator 2.1.0 from npm, which writes ABA files: lists of payments for Australian banks.
# Expected: as its documentation says, `date` is "the date to be processed", a Date, a number or a text of DDMMYY, and
# `time` the same or a text of HHmm. So a Date of 30 November 2026 with "1530" is 301126 and 1530.
# Really: where the time is given, the day is made from it: a JavaScript Date of the text "1530" is the year 1530. The
# file says 010130, 1 January 2030, and 1530. "0930" is the year 930, and so 1 January 2030 as well, and "1545" is 1
# January 2045. Nothing is said. With a day as a text, with a Date for both, or without a time, it is right.
# What follows: a bank that takes the time, as its documentation says most do, gets a list of wages or refunds for
# another year. Give the day as a text of DDMMYY.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts aba-generator@2.1.0 >/dev/null
cat >"$dir/write.cjs" <<'JS'
const ABA = require("aba-generator");
const day = new Date(2026, 10, 30);
const payment = { bsb: "061021", transactionCode: ABA.CREDIT, account: "123456", amount: 12.5, accountTitle: "Alice",
  reference: "r1", traceBsb: "061123", traceAccount: "1234567", remitter: "Example" };
const moments = [{ date: day, time: "1530" }, { date: day, time: "0930" }, { date: day, time: "1545" },
  { date: day }, { date: "301126", time: "1530" }, { date: day, time: new Date(2026, 10, 30, 15, 30) }];
for (const moment of moments) {
  const header = { bank: "ANZ", user: "Example", userNumber: 1234, description: "Payout", ...moment };
  const [first] = new ABA({ header }).generate([payment]).split("\r\n");
  const given = Object.values(moment).map((value) => (value === day ? "Date" : JSON.stringify(value)));
  console.log(`${given.join(" ")}: ${first.slice(74, 84).trim()}`);
}
JS
seen=$(cd "$dir" && TZ=UTC node write.cjs)
wanted='Date "1530": 0101301530
Date "0930": 0101300930
Date "1545": 0101451545
Date: 301126
"301126" "1530": 3011261530
Date "2026-11-30T15:30:00.000Z": 3011261530'
[ "$seen" = "$wanted" ] || { printf 'The files said\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: a file of aba-generator for 30 November 2026 at 15:30 is for 1 January 2030"
