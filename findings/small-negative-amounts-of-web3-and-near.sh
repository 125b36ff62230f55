#!/usr/bin/env bash
# web3-utils 4.3.3 (fromWei, toWei) and @near-js/utils 2.5.1 (formatNearAmount) from npm. viem 2.57.20
# beside them.
# Expected: -0.05 ether, of -50000000000000000 wei, is written -0.05, and read back.
# Really: both put the point 18 or 24 places from the right of the text, and fill it with zeros before its
# minus: -0.05 is 0.-5, which toWei refuses, and -0.5 is -.5. formatNearAmount with two decimals adds a half
# to round, below zero as well: -1.5 becomes -1.49. Whole negative amounts and positive ones are right.
# What follows: the changes of a balance that these functions write go wrong where they are small. Write the
# sign and the positive amount apart.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts web3-utils@4.3.3 \
  @near-js/utils@2.5.1 viem@2.57.20 >/dev/null
cat >"$dir/format.cjs" <<'JS'
const { formatNearAmount } = require("@near-js/utils");
const { formatEther } = require("viem");
const { fromWei, toWei } = require("web3-utils");
for (const ether of ["1500000000000000000", "50000000000000000"])
  for (const wei of [ether, `-${ether}`, `-${ether.slice(0, -1)}`]) {
    const text = fromWei(wei, "ether");
    let again = "refused";
    try {
      again = toWei(text, "ether") === wei;
    } catch {}
    const near = `${wei}000000`;
    console.log(formatEther(BigInt(wei)), text, again, formatNearAmount(near), formatNearAmount(near, 2));
  }
JS
seen=$(cd "$dir" && node format.cjs)
wanted='1.5 1.5 true 1.5 1.5
-1.5 -1.5 true -1.5 -1.49
-0.15 -.15 true -.15 -.14
0.05 0.05 true 0.05 0.05
-0.05 0.-5 refused 0.-5 0.-4
-0.005 0.0-5 refused 0.0-5 0'
[ "$seen" = "$wanted" ] || { printf 'The amounts were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: web3-utils and @near-js/utils write -0.05 as 0.-5"
