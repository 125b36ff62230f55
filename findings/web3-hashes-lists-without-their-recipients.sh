#!/usr/bin/env bash
# web3-utils 4.3.3 from npm (soliditySha3, encodePacked), hashes of packed values, as contracts check them. ethers
# 6.17.0, viem 2.57.20 and web3-utils 1.10.4 beside it.
# Expected: as its documentation says, encodePacked packs values "in the same way solidity would", in which each
# element of a list has 32 bytes, whatever its type. A type that it does not know is refused. So lists of recipients
# that differ have other hashes.
# Really: address[], bool[] and string[] are packed as nothing at all, as its last line is return "". So the hash of
# two lists, recipients and amounts, is that of the amounts alone: for Alice and Bob, for Bob and Alice, and for
# anybody else. Of a list of recipients only, it is undefined. Elements of uint64[] and bytes4[] have 8 and 4 bytes. To
# version 1 the recipients count, and its uint64[] is as short. Nothing is said. Values without lists, and uint256[]
# and bytes32[], are right.
# What follows: an approval or a signature of a payout holds for each list with the same amounts and other recipients,
# where both sides use it, and elsewhere a contract refuses it. Use ethers or viem for it. Digests here are made of
# texts, and claims of trees (docs/claims.md).
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts web3-utils@4.3.3 one@npm:web3-utils@1.10.4 \
  ethers@6.17.0 viem@2.57.20 >/dev/null
cat >"$dir/hash.cjs" <<'JS'
const { solidityPackedKeccak256 } = require("ethers");
const { encodePacked, keccak256 } = require("viem");
const one = require("one");
const four = require("web3-utils");

const alice = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const bob = "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359";
const hashes = {
  ethers: (types, values) => solidityPackedKeccak256(types, values),
  viem: (types, values) => keccak256(encodePacked(types, values)),
  "web3-utils 4": (types, values) =>
    four.soliditySha3(...types.map((type, index) => ({ type, value: values[index] }))),
  "web3-utils 1": (types, values) => one.soliditySha3(...types.map((t, index) => ({ t, v: values[index] }))),
};
const amounts = [5, 6];
const cases = [[["address[]", "uint256[]"], [[alice, bob], amounts]],
  [["address[]", "uint256[]"], [[bob, alice], amounts]], [["address[]"], [[alice]]],
  [["uint64[]"], [amounts]], [["int8[]"], [[-1]]], [["bytes4[]"], [["0x01020304"]]],
  [["uint256[]"], [amounts]], [["address", "uint256"], [alice, 5]]];
for (const [types, values] of cases) {
  const seen = Object.entries(hashes).map(([name, hash]) => [name, `${hash(types, values)}`.slice(0, 10)]);
  const [[, right]] = seen;
  const others = seen.filter(([, hash]) => hash !== right).map((pair) => pair.join(" "));
  console.log(`${types}: ${right}; ${others.join(", ") || "all the same"}`);
}
JS
seen=$(cd "$dir" && node hash.cjs)
wanted='address[],uint256[]: 0x9d60a7c2; web3-utils 4 0xbfd358e9
address[],uint256[]: 0x4cddd517; web3-utils 4 0xbfd358e9
address[]: 0x766e3fea; web3-utils 4 undefined
uint64[]: 0xbfd358e9; web3-utils 4 0x1787f5e5, web3-utils 1 0x1787f5e5
int8[]: 0xa9c58405; web3-utils 4 0x8b1a944c, web3-utils 1 0x8b1a944c
bytes4[]: 0xcd57bc64; web3-utils 4 0xa6885b37
uint256[]: 0xbfd358e9; all the same
address,uint256: 0x34b595b4; all the same'
[ "$seen" = "$wanted" ] || { printf 'The hashes were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: to web3-utils 4 a list for Alice and Bob has the hash of one for Bob and Alice"
