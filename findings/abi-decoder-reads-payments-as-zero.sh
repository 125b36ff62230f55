#!/usr/bin/env bash
# abi-decoder 2.4.0 from npm, which reads events and calls of contracts. ethers 6.17.0 writes them here.
# Expected: as its documentation has it, contracts are added by addABI, each with its interface, and then logs and
# calls of all of them are decoded.
# Really: events are kept by their hash alone, and the one that was added last wins. Transfer of ERC-20 and of ERC-721
# have one hash, and differ in what is indexed. Once a collection was added too, a payment of 12345 is the token ID 0,
# and nothing is said: what is missing counts as 0. In calls, lists of lists of numbers are flattened, each inner list
# becoming one number of its bytes: [[1, 2], [3]] is 258 and 3. A call with a list of structs is not known at all.
# What follows: a program that looks for payments in a transaction's logs sees nothing paid, as soon as somebody adds
# the interface of a collection. Use a decoder for each contract.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts abi-decoder@2.4.0 ethers@6.17.0 >/dev/null
cat >"$dir/decode.cjs" <<'JS'
const decoder = require("abi-decoder");
const { Interface } = require("ethers");

const alice = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const bob = "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359";
const token = new Interface(["event Transfer(address indexed from, address indexed to, uint256 value)"]);
const collection = new Interface(["event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)"]);
const payer = new Interface(["function pay(address[] to, uint256[] amounts)",
  "function payGroups(address[] to, uint256[][] amounts)", "function payAll(tuple(address to, uint256 amount)[] list)"]);
const log = { ...token.encodeEventLog("Transfer", [alice, bob, 12345n]), address: alice };
for (const contract of [token, collection]) {
  decoder.addABI(JSON.parse(contract.formatJson()));
  const [{ events }] = decoder.decodeLogs([log]);
  console.log("Transfer:", events[2].name, events[2].value);
}
decoder.addABI(JSON.parse(payer.formatJson()));
const calls = [["pay", [[alice, bob], [1n, 2n]]], ["payGroups", [[alice, bob], [[1n, 2n], [3n]]]],
  ["payAll", [[[alice, 5n]]]]];
for (const [name, values] of calls)
  console.log(`${name}:`, JSON.stringify(decoder.decodeMethod(payer.encodeFunctionData(name, values))?.params.at(-1).value));
JS
seen=$(cd "$dir" && node decode.cjs)
wanted='Transfer: value 12345
Transfer: tokenId 0
pay: ["1","2"]
payGroups: ["258","3"]
payAll: undefined'
[ "$seen" = "$wanted" ] || { printf 'Decoded was\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: to abi-decoder a payment of 12345 is 0 once a collection was added, and the amounts 1 and 2 are 258"
