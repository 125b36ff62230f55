#!/usr/bin/env bash
# @synthetixio/wei 2.74.4 from npm, amounts of tokens with 18 decimals or others, with @ethersproject/bignumber 5.8.0
# and big.js 6.2.2, which it takes as well.
# Expected: as its comments say, "ALL Arithmetic and Comparison operations assume non-Wei values if they are passed any
# source material which is not an instance of `Wei`", "even for BN types", so 5 and a BigNumber of 2 are 7. scale(6) is
# the same amount, "with specified decimal places". What toBig gives of an amount in wei, wei takes back.
# Really: a BigNumber is wei in each case: 5 and 2 are 5.000000000000000002, and 5 is more than a BigNumber of 7, while
# a number, a text and a Big are whole ones, as said. What scale gives counts as one of 18 decimals again: 1.5 with 6
# is 0.0000000000015. A Big in wei loses its minus: -5 comes back as 5. Nothing is said. A BigNumber in wei, sums of
# two Weis with other decimals, and amounts above 0 are right.
# What follows: a limit of 7 that comes as a BigNumber, of a contract without decimals, is exceeded by 5, and what
# somebody owes is what he has. Give it texts, and Weis only. Amounts here are decimals of a point type.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts @synthetixio/wei@2.74.4 \
  @ethersproject/bignumber@5.8.0 @ethersproject/bytes@5.8.0 big.js@6.2.2 >/dev/null
cat >"$dir/sum.cjs" <<'JS'
const { BigNumber } = require("@ethersproject/bignumber");
const Big = require("big.js");
const { wei } = require("@synthetixio/wei");

const five = wei(5);
for (const [name, other] of Object.entries({ number: 2, text: "2", Big: new Big(2), BigNumber: BigNumber.from(2) }))
  console.log(`5 and a ${name} of 2: ${five.add(other)}`);
console.log(`5 is more than a number of 7: ${five.gt(7)}, a BigNumber of 7: ${five.gt(BigNumber.from(7))}`);
console.log(`1.5 with 6 decimals: ${wei("1.5", 6)}, scaled to 6: ${wei("1.5").scale(6)}`);
const debt = wei(-5);
console.log(`-5 by Big: ${wei(debt.toBig(true), 18, true)}, by BigNumber: ${wei(debt.toBN(), 18, true)}`);
JS
seen=$(cd "$dir" && node sum.cjs)
wanted='5 and a number of 2: 7.000000000000000000
5 and a text of 2: 7.000000000000000000
5 and a Big of 2: 7.000000000000000000
5 and a BigNumber of 2: 5.000000000000000002
5 is more than a number of 7: false, a BigNumber of 7: true
1.5 with 6 decimals: 1.500000, scaled to 6: 0.000000000001500000
-5 by Big: 5.000000000000000000, by BigNumber: -5.000000000000000000'
[ "$seen" = "$wanted" ] || { printf 'The amounts were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: to @synthetixio/wei 5 is more than a BigNumber of 7, and a Big of -5 wei is 5"
