#!/usr/bin/env bash
# Readers of boletos, the bills that are paid at banks in Brazil, from npm: boleto.js 1.1.4, broleto 0.0.12 and
# @mrmgomes/boleto-utils 1.3.3. @brazilian-utils/brazilian-utils 2.4.0 beside them.
# Expected: as their documentation says, expirationDate is when the bill is due, and expired whether it is too late.
# The day has four digits, which count days and began again at 1000 on 22 February 2025, as banks had announced; 0000
# is a bill that is due whenever it is shown.
# Really: the first two count all days from 1997, so that a bill for 30 November 2026 was due on 10 April 2002, and is
# expired; boleto-utils says so as `vencimento`, and the right day as `vencimentoComNovoFator2025`. A bill that is due
# when it is shown was due on 7 October 1997. Nothing is said, and the number is valid. Amounts are right, and so are
# days up to 21 February 2025, which the examples of their documentation have. boleto-utils makes 2049 of those under
# its second name.
# What follows: a program that leaves out what is too late pays no bill at all, and one that adds interest adds it for
# 24 years. Take the digits, and the day nearest to today. Here, when a batch is due is a time with a year
# (docs/api.md).
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts boleto.js@1.1.4 broleto@0.0.12 \
  @mrmgomes/boleto-utils@1.3.3 @brazilian-utils/brazilian-utils@2.4.0 >/dev/null
cat >"$dir/read.mjs" <<'JS'
import { createRequire } from "node:module";
import { getBoletoInfo } from "@brazilian-utils/brazilian-utils";

const require = createRequire(import.meta.url);
globalThis.window = globalThis; // boleto.js is made for browsers.
const BoletoJs = require("boleto.js");
const { Boleto } = require("broleto");
const utils = require("@mrmgomes/boleto-utils");

const digit10 = (text) => {
  const sum = [...text].reverse().reduce((total, digit, index) => {
    const product = digit * (index % 2 ? 1 : 2);
    return total + (product > 9 ? product - 9 : product);
  }, 0);
  return (10 - (sum % 10)) % 10;
};
const digit11 = (text) => {
  const sum = [...text].reverse().reduce((total, digit, index) => total + digit * (2 + (index % 8)), 0);
  const rest = 11 - (sum % 11);
  return rest > 9 ? 1 : rest;
};
/** A bill of Itaú over 123.45. */
const bill = (days) => {
  const due = `${days}0000012345`;
  const free = "1091070000013555851122200";
  const fields = [`3419${free.slice(0, 5)}`, free.slice(5, 15), free.slice(15)];
  return `${fields.map((field) => field + digit10(field)).join("")}${digit11(`3419${due}${free}`)}${due}`;
};
const day = (date) => (date ? new Date(date).toISOString().slice(0, 10) : "none");
for (const days of ["9999", "1000", "1646", "0000"]) {
  const number = bill(days);
  const [first, second, third] = [new BoletoJs(number), new Boleto(number), utils.validarBoleto(number)];
  const right = getBoletoInfo(number, { referenceDate: new Date("2026-11-30T12:00:00Z") }).expirationDate;
  console.log(`${days}: ${day(right)}; boleto.js ${day(first.expirationDate())},`,
    `broleto ${day(second.expirationDate())} expired ${second.expired()},`,
    `boleto-utils ${day(third.vencimento)} or ${day(third.vencimentoComNovoFator2025)}`);
}
JS
seen=$(cd "$dir" && TZ=UTC node read.mjs)
wanted='9999: 2025-02-21; boleto.js 2025-02-21, broleto 2025-02-21 expired true, boleto-utils 2025-02-21 or 2049-10-13
1000: 2025-02-22; boleto.js 2000-07-03, broleto 2000-07-03 expired true, boleto-utils 2000-07-03 or 2025-02-22
1646: 2026-11-30; boleto.js 2002-04-10, broleto 2002-04-10 expired true, boleto-utils 2002-04-10 or 2026-11-30
0000: none; boleto.js 1997-10-07, broleto 1997-10-07 expired true, boleto-utils 1997-10-07 or 2022-05-29'
[ "$seen" = "$wanted" ] || { printf 'The bills were due\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: to boleto.js and broleto, a bill for 30 November 2026 was due in April 2002"
