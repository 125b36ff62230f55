#!/usr/bin/env bash
# @streamflow/common 12.5.0 from npm (airdrops and vesting on Solana), getBN, which turns an amount into
# base units.
# Expected: 2.3 tokens of 9 decimals are 2300000000 units, as for viem's parseUnits and umi's sol.
# Really: they are 2299999999. It multiplies the fraction of a double, 0.2999999999999998, and cuts what is
# behind the point. 1.1 and 0.07 are right, so a test with one amount shows nothing, and a list's units do
# not add up to its total.
# What follows: amounts are decimal texts from end to end here, and a list of units made by it has no exact
# total.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts @streamflow/common@12.5.0 \
  @metaplex-foundation/umi@1.6.0 viem@2.57.20 >/dev/null
cat >"$dir/units.mjs" <<'JS'
import { sol } from "@metaplex-foundation/umi";
import { getBN } from "@streamflow/common";
import { parseUnits } from "viem";
for (const amount of [2.3, 4.35, 100.1, 1.1, 0.07])
  console.log(amount, String(getBN(amount, 9)), sol(amount).basisPoints, parseUnits(String(amount), 9));
JS
seen=$(cd "$dir" && node units.mjs 2>/dev/null)
wanted='2.3 2299999999 2300000000n 2300000000n
4.35 4349999999 4350000000n 4350000000n
100.1 100099999999 100100000000n 100100000000n
1.1 1100000000 1100000000n 1100000000n
0.07 70000000 70000000n 70000000n'
[ "$seen" = "$wanted" ] || { printf 'The units were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: getBN of @streamflow/common loses a base unit of 2.3, 4.35 and 100.1"
