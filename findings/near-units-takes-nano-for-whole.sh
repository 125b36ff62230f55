#!/usr/bin/env bash
# near-units 0.1.9 from npm, of the makers of NEAR, which reads and writes amounts such as "1.25 mN".
# Expected: as its documentation says, parse("1.25 mN") is "equivalent" to NEAR.parse("1.25 mN"), and NEAR.parse("1 nN")
# is 10^15 yocto, a billionth of a NEAR. What toHuman wrote, parse reads. "Doing math" has 100 NEAR multiplied by 0.5.
# Really: parse takes the N away, and then calls NEAR.parse, which takes an n away once more: the one of nano. So
# parse("1 nN") is a whole NEAR, a billion times as much, and so it is on the command line, with which its documentation
# pays: "amount": $(near-units 1N). What toHuman writes of less than a millionth is "1.5 nN", and becomes 1.5 NEAR.
# Milli and micro are right, and so is "nano N" in full. The documented product of 100 and 0.5 is 5 x 10^25 NEAR, as
# both are whole numbers of yocto. Nothing is said.
# What follows: a list of small payments or fees that was made for people to read pays a billion times as much. Use
# NEAR.parse only, and multiply by plain numbers. Amounts here have no prefixes, and are decimals of a point type.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts near-units@0.1.9 bn.js@5.2.2 >/dev/null
cat >"$dir/read.cjs" <<'JS'
const { NEAR, parse } = require("near-units");
for (const text of ["1 N", "1 mN", "1 nN", "5 nano N"])
  console.log(`${text}: NEAR.parse ${NEAR.parse(text).toHuman()}, parse ${parse(text).toHuman()}`);
const written = NEAR.from("1500000000000000").toHuman();
console.log(`${written} is read as ${parse(written).toHuman()}`);
console.log(`100 by 0.5 is ${NEAR.parse("100").mul(NEAR.parse("0.5")).toHuman()}`);
JS
seen=$(cd "$dir" && node read.cjs && echo "near-units 1 nN: $(node_modules/.bin/near-units 1 nN)")
wanted='1 N: NEAR.parse 1 N, parse 1 N
1 mN: NEAR.parse 1 mN, parse 1 mN
1 nN: NEAR.parse 1 nN, parse 1 N
5 nano N: NEAR.parse 5 nN, parse 5 nN
1.5 nN is read as 1.5 N
100 by 0.5 is 50,000,000,000,000,000,000,000,000 N
near-units 1 nN: 1000000000000000000000000'
[ "$seen" = "$wanted" ] || { printf 'The amounts were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: to near-units a billionth of a NEAR, 1 nN, is a whole one"
