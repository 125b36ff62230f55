#!/usr/bin/env bash
# @rustledger/wasm 0.24.0 from npm, which reads, validates and queries books of Beancount in JavaScript.
# Expected: an amount that has more digits than it can calculate with is refused, as 32 nines are: "likely exceeds
# 28-digit Decimal precision". Two sides that differ do not balance.
# Really: only an amount whose whole part is too long is. With decimals it is rounded to 28 or 29 digits, and nothing
# is said: 12345678901234567890.123456789012 is 12345678901234567890.123456789 in a query, and a transaction that
# books a millionth of a millionth of a millionth more to Alice than it takes from Bob is valid. `format` writes all
# digits of both, so the file looks right. In books of smaller amounts such a difference is an error.
# What follows: amounts here have up to 38 digits. Books of them are rounded, and the check that would say so is, too.
# hledger keeps them all.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts @rustledger/wasm@0.24.0 >/dev/null
cat >books.mjs <<'JS'
import { readFileSync } from "node:fs";
import { format, initSync, query, validateSource } from "@rustledger/wasm";
initSync({ module: readFileSync("node_modules/@rustledger/wasm/rustledger_wasm_bg.wasm") });
for (const [alice, bob] of [["0.000000000000000002", "-0.000000000000000001"],
  ["123456789012.000000000000000001", "-123456789012"],
  ["12345678901234567890.123456789012", "-12345678901234567890.123456789012"],
  ["9".repeat(32), `-${"9".repeat(32)}`]]) {
  const books = `2026-01-01 open Assets:Alice
2026-01-01 open Assets:Bob
2026-01-02 * "pay"
  Assets:Alice  ${alice} GLD
  Assets:Bob  ${bob} GLD
`;
  const { rows } = query(books, "select account, sum(position) group by account");
  const sums = (rows ?? []).map(([, { positions }]) => positions[0].units.number).join(" ") || "no sums";
  const isKept = (format(books).formatted ?? "").includes(` ${alice} `);
  console.log(validateSource(books).valid ? "valid" : "invalid", isKept ? "kept" : "-", sums);
}
JS
seen=$(node books.mjs)
wanted='invalid kept 0.000000000000000002 -0.000000000000000001
valid kept 123456789012.00000000000000000 -123456789012
valid kept 12345678901234567890.123456789 -12345678901234567890.123456789
invalid - no sums'
[ "$seen" = "$wanted" ] || { printf 'The books were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: rustledger rounds long amounts, and then calls a transaction valid that does not balance"
