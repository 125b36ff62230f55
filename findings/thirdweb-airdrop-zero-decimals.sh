#!/usr/bin/env bash
# thirdweb 5.121.6 from npm, the leaves of an airdrop of ERC-20 tokens, and of a drop's list.
# Expected: 7 tokens of a token without decimals are 7 base units. An amount with more decimals than the
# token is refused.
# Really: an airdrop counts a token of 0 decimals as one of 18: its leaf is of 7 × 10^18 units. A drop's
# list counts 7. Both round what is too long half up: at 6 decimals, 1.1234567 is 1123457 units, and
# 0.0000005 is one.
# What follows: no file has more decimals than the token, and the file in tokens warns of tokens without
# decimals.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
# Its own files, and only the packages that these need, of 769.
npm install --silent --no-audit --no-fund --ignore-scripts viem@2.39.0 ox@0.7.0 @noble/hashes@1.7.2 >/dev/null
tar xf "$(npm pack --silent thirdweb@5.121.6)"
mv package node_modules/thirdweb
cat >leaves.mjs <<'JS'
import { encodePacked, keccak256, maxUint256, zeroAddress } from "viem";
import { hashEntryERC20 } from "./node_modules/thirdweb/dist/esm/utils/extensions/airdrop/hash-entry-erc20.js";
import { hashEntry } from "./node_modules/thirdweb/dist/esm/utils/extensions/drops/hash-entry.js";

const address = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const airdropLeaf = (units) => keccak256(encodePacked(["address", "uint256"], [address, units]));
const dropLeaf = (units) =>
  keccak256(encodePacked(["address", "uint256", "uint256", "address"], [address, units, maxUint256, zeroAddress]));
const unitsOf = (leaf, leafOf, candidates) => candidates.find((units) => leafOf(units) === leaf);

const seen = [];
for (const [amount, tokenDecimals, candidates] of [
  ["7", 0, [7n, 7n * 10n ** 18n]],
  ["1.1234567", 6, [1123456n, 1123457n]],
  ["0.0000005", 6, [0n, 1n]],
]) {
  const airdrop = await hashEntryERC20({ entry: { recipient: address, amount }, tokenDecimals });
  const drop = await hashEntry({ entry: { address, maxClaimable: amount }, tokenDecimals });
  seen.push(`${unitsOf(airdrop, airdropLeaf, candidates)} ${unitsOf(drop, dropLeaf, candidates)}`);
}
console.log(seen.join(", "));
JS
seen=$(node leaves.mjs)
wanted='7000000000000000000 7, 1123457 1123457, 1 1'
[ "$seen" = "$wanted" ] || { printf 'The units were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: thirdweb's airdrop counts a token without decimals as one with 18, and rounds half up"
