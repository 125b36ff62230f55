#!/usr/bin/env bash
# ethereum-input-data-decoder 0.4.2 from npm, which reads what a transaction calls. ethers 5.8.0, which it uses,
# writes the calls here.
# Expected: as its documentation says, the values of the call, also of structs, for each function of the interface.
# Really: it clears the twelve bytes before each address, so as to read dirty ones, and counts 32 bytes for each
# element of a fixed list before it, whatever an element is. With two pairs of hashes, or two texts, before an
# address, other bytes are cleared: a hash 0x3333… is 0x0000…3333, and so is an ID. Nothing is said. And a function
# that takes a struct is unknown where it is the first or the only one of the interface. Moved to the end, it is read.
# What follows: a node of a Merkle proof, or the ID of a payout, is another one than was sent, and a program that
# looks for payments by structs finds none. Lists without a fixed length, as proofs are in docs/claims.md, are right.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts ethereum-input-data-decoder@0.4.2 \
  ethers@5.8.0 >/dev/null
cat >"$dir/decode.cjs" <<'JS'
const Decoder = require("ethereum-input-data-decoder");
const { utils } = require("ethers");

const alice = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const hash = (digit) => `0x${digit.repeat(64)}`;
const claim = "function claim(bytes32[2][2] proofs, address to)";
const free = "function free(bytes32[2][] proofs, address to)";
const named = "function named(string[2] names, address to, bytes32 id)";
const pay = "function pay(tuple(address to, uint256 amount)[] list)";
const proofs = [[hash("1"), hash("2")], [hash("3"), hash("4")]];
for (const [functions, name, values] of [
  [[claim], "claim", [proofs, alice]],
  [[free], "free", [proofs, alice]],
  [[named], "named", [["a", "b"], alice, hash("5")]],
  [[pay], "pay", [[[alice, 7]]]],
  [[pay, claim], "pay", [[[alice, 7]]]],
  [[claim, pay], "pay", [[[alice, 7]]]],
]) {
  const contract = new utils.Interface(functions);
  const abi = JSON.parse(contract.format("json"));
  const { method, inputs } = new Decoder(abi).decodeData(contract.encodeFunctionData(name, values));
  const text = JSON.stringify(inputs, (_key, value) => (value?.hex ? Number(value.hex) : value));
  const short = text.replaceAll(/([0-9])\1{9,}/g, (digits) => `{${digits.length}*${digits[0]}}`).replaceAll('"', "");
  console.log(`${Object.values(contract.functions).map((one) => one.name)} -> ${method} ${short}`);
}
JS
seen=$(cd "$dir" && node decode.cjs)
wanted='claim -> claim [[[0x{64*1},0x{64*2}],[0x{24*0}{40*3},0x{64*4}]],5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed]
free -> free [[[0x{64*1},0x{64*2}],[0x{64*3},0x{64*4}]],5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed]
named -> named [[a,b],5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed,0x{24*0}{40*5}]
pay -> null []
pay,claim -> null []
claim,pay -> pay [[[0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed,7]]]'
[ "$seen" = "$wanted" ] || { printf 'Decoded was\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: ethereum-input-data-decoder clears twelve bytes of a Merkle proof"
