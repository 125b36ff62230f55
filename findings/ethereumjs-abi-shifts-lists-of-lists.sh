#!/usr/bin/env bash
# ethereumjs-abi 0.6.8 from npm, rawEncode and rawDecode, which write and read values as contracts do. ethers 6.17.0
# writes and reads them beside it.
# Expected: as its documentation says, it implements "the Ethereum ABI", in which the elements of a list may be of any
# length: bytes[], as calls in one transaction are, string[], uint256[][], and bytes32[][], a proof for each claim.
# What it cannot write or read, it refuses.
# Really: elements are written one behind the other, without the places at which each begins, so that what it writes is
# shorter than it must be, and no contract reads it. In reading, these places are taken for elements: of the calls
# 0x0102 and 0x0304, the first one is 64 bytes of places and lengths, and the second one is 0x0102. Of [[1, 2], [3]],
# the first list begins with 160, 2, 1, 2, 1, 3 and 0, and the second one with a 2. Nothing is said. Lists of numbers,
# addresses and bytes32, and lists of pairs (uint256[2][]), are right.
# What follows: a claim for many, with their proofs, is reverted, and a page that shows the amounts of a payout in
# groups shows 160 and others. Use ethers. Claims here have one proof each (docs/claims.md).
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts ethereumjs-abi@0.6.8 ethers@6.17.0 >/dev/null
cat >"$dir/read.cjs" <<'JS'
const abi = require("ethereumjs-abi");
const { AbiCoder } = require("ethers");

const coder = AbiCoder.defaultAbiCoder();
const text = (value) => {
  if (Array.isArray(value)) return `[${value.slice(0, 7).map(text).join(" ")}]`;
  return Buffer.isBuffer(value) ? `${value.length} bytes 0x${value.toString("hex").slice(0, 4)}` : value.toString();
};
const proof = `0x${"11".repeat(32)}`;
for (const [type, value] of [["uint256[]", [1, 2]], ["uint256[2][]", [[1, 2], [3, 4]]],
  ["bytes[]", ["0x0102", "0x0304"]], ["uint256[][]", [[1, 2], [3]]], ["bytes32[][]", [[proof], [proof]]]]) {
  const right = coder.encode([type], [value]);
  const written = `0x${abi.rawEncode([type], [value]).toString("hex")}`;
  const same = written === right ? "right" : `${written.length / 2 - 1} bytes of ${right.length / 2 - 1}`;
  const read = abi.rawDecode([type], Buffer.from(right.slice(2), "hex"))[0];
  console.log(`${type}: written ${same}${type === "bytes32[][]" ? "" : `, read ${text(read)}`}`);
}
JS
seen=$(cd "$dir" && node read.cjs)
wanted='uint256[]: written right, read [1 2]
uint256[2][]: written right, read [[1 2] [3 4]]
bytes[]: written 192 bytes of 256, read [64 bytes 0x0000 2 bytes 0x0102]
uint256[][]: written 224 bytes of 288, read [[160 2 1 2 1 3 0] [2]]
bytes32[][]: written 192 bytes of 256'
[ "$seen" = "$wanted" ] || { printf 'It wrote and read\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: ethereumjs-abi reads the list 1, 2 of a list as 160, 2, 1, 2, 1, 3, and no contract reads what it writes"
