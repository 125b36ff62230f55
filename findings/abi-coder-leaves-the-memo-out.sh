#!/usr/bin/env bash
# abi-coder 5.0.0 from npm, which writes and reads calls of contracts by the names of functions. ethers 6.17.0, which
# it uses, reads them beside it.
# Expected: a call that it has read and writes again is the same call. Where a contract has two functions of a name,
# such as transfer(to, amount) and transfer(to, amount, memo), the values that are given decide, or it refuses, as
# ethers does: "ambiguous function description". Values are given by name, so each of them is used.
# Really: the first function of the name in the interface is taken, and a value that this one does not have is left
# out. So a payment of 5 with a memo is one without, and nothing is said. Parameters without a name, which interfaces
# of many tokens have, share one place: of reserves()'s two numbers, the last one is left, and move(1, 2), read and
# written again, is move(2, 2). Reading calls of either function is right, and so is writing where each has a name of
# its own.
# What follows: who is paid cannot be known from the memo, and the exchange or the shop behind an address keeps the
# money. Give it an interface with one function of each name. Who calls contracts with claims or payments meets it.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts abi-coder@5.0.0 ethers@6.17.0 >/dev/null
cat >"$dir/code.mjs" <<'JS'
import { Coder } from "abi-coder";
import { AbiCoder, Interface } from "ethers";

const token = new Interface(["function transfer(address to, uint256 amount)",
  "function transfer(address to, uint256 amount, bytes32 memo)", "function move(uint256, uint256)",
  "function reserves() view returns (uint256, uint256)"]);
const coder = new Coder(JSON.parse(token.formatJson()));
const values = { to: "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", amount: 5n, memo: `0x${"00".repeat(31)}2a` };
const names = new Map([[values.to, "Alice"], [values.memo, "memo"]]);
const call = (data) => {
  const { name, args } = token.parseTransaction({ data });
  return `${name}(${args.map((value) => names.get(value) ?? value).join(", ")})`;
};
const again = (data) => {
  const read = coder.decodeFunction(data);
  return call(coder.encodeFunction(read.name, read.values));
};
console.log(`with a memo: ${call(coder.encodeFunction("transfer", values))}`);
const paid = token.encodeFunctionData("transfer(address,uint256,bytes32)", Object.values(values));
console.log(`${call(paid)}, again: ${again(paid)}`);
const moved = token.encodeFunctionData("move", [1n, 2n]);
console.log(`${call(moved)}, again: ${again(moved)}`);
const reserves = AbiCoder.defaultAbiCoder().encode(["uint256", "uint256"], [1000n, 7n]);
console.log(`reserves of 1000 and 7: ${Object.values(coder.decodeFunctionOutput("reserves", reserves).values)}`);
try {
  token.encodeFunctionData("transfer", Object.values(values).slice(0, 2));
} catch ({ shortMessage }) {
  console.log(`ethers: ${shortMessage.split(" (")[0]}`);
}
JS
seen=$(cd "$dir" && node code.mjs)
wanted='with a memo: transfer(Alice, 5)
transfer(Alice, 5, memo), again: transfer(Alice, 5)
move(1, 2), again: move(2, 2)
reserves of 1000 and 7: 7
ethers: ambiguous function description'
[ "$seen" = "$wanted" ] || { printf 'The calls were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: abi-coder writes a transfer with a memo as one without"
