#!/usr/bin/env bash
# node-x12 1.7.1 from npm, which reads EDI in X12: here a payment order (820) with what is paid to Alice, Bob and Carol.
# Expected: as its documentation says, a query may have a qualifier, such as N1-N301:N101["ST"] for the address of the
# one that is "ST", and FOREACH makes "an array of objects with the corresponding values from the loop". By X12, what is
# empty at the end of a segment is left out. A parser that is asked for a second document gives that one.
# Really: from each segment it goes back until one fits the qualifier, past all others of the kind. So RMR04 of Alice's
# entity are her amounts and those of all who come after her. In toObject, a row without an amount gets that of the next
# row, and so on, and what is missing at the end is the text of the query. The default value that querySingle takes is
# not used, so 'loose' is what keeps rows as they are. A second document comes with the first one, as a list of both,
# or, without strict, as one interchange. Of these, one line is in `diagnostics`. One payee with an amount in each
# row is right, so a test with such shows nothing.
# What follows: Alice is paid what was meant for three, and a reference the amount of the next one. Go through
# `transaction.segments` oneself, and make a parser for each document. Lists here have a row for each transfer.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts node-x12@1.7.1 >/dev/null
cat >"$dir/read.cjs" <<'JS'
const { X12Parser, X12QueryEngine } = require("node-x12");

const isa = ["ISA", "00", " ".repeat(10), "00", " ".repeat(10), "ZZ", "PAYER".padEnd(15), "ZZ", "BANK".padEnd(15),
  "261130", "1530", "^", "00501", "000000001", "0", "P", ":"].join("*");
const paid = ["ENT*1*2J*EI*ALICE", "RMR*IV*A-1**100", "RMR*IV*A-2**50", "ENT*2*2J*EI*BOB", "RMR*IV*B-1",
  "RMR*IV*B-2**200", "ENT*3*2J*EI*CAROL", "RMR*IV*C-1**250"];
const order = [isa, "GS*RA*PAYER*BANK*20261130*1530*1*X*005010", "ST*820*0001", "BPR*C*600*C*ACH*CTX", ...paid,
  "SE*11*0001", "GE*1*1", "IEA*1*000000001", ""].join("~");
const values = (query) => new X12QueryEngine().query(order, query).map(({ value }) => value).join(", ");
for (const name of ["ALICE", "BOB", "CAROL"]) console.log(`${name}: ${values(`ENT-RMR04:ENT04["${name}"]`)}`);
const parser = new X12Parser(true);
const [transaction] = parser.parse(order).functionalGroups[0].transactions;
const map = { rows: { reference: "FOREACH(ENT)=>RMR02", amount: "FOREACH(ENT)=>RMR04" } };
for (const { reference, amount } of transaction.toObject(map).rows) console.log(`${reference} ${amount}`);
console.log(`one more document: ${parser.parse(order).interchanges.length} interchanges`);
JS
seen=$(cd "$dir" && node read.cjs)
wanted='ALICE: 100, 50, 200, 250
BOB: 200, 250
CAROL: 250
A-1 100
A-2 50
B-1 200
B-2 250
C-1 FOREACH(ENT)=>RMR04
one more document: 2 interchanges'
[ "$seen" = "$wanted" ] || { printf 'It read\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: a query of node-x12 for what Alice is paid has what Bob and Carol are paid as well"
