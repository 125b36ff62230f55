#!/usr/bin/env bash
# @exodus/solidity-contract 1.3.0 from npm, which writes and reads calls of contracts. ethers 6.17.0 writes and reads
# them beside it.
# Expected: as its documentation says, what it reads of a call depends on the types, and "a `uint` would return a
# stringified number in base 10", so a list of three amounts is a list of three texts. The ID of a function is made of
# its types as Solidity has them: (address,uint256)[2] for two structs.
# Really: only lists without a length are known. The three amounts of uint256[3] are one text, "100,200,300". A list of
# two structs counts as one struct, and a list of lists of structs as one list, so that the function has an ID that no
# contract knows: a payment to two calls no function, and such a call by others is "Not a valid method ID for this
# contract". Amounts in a list of structs are objects, and no texts. Plain lists, addresses and single structs are
# right.
# What follows: parseInt and parseFloat of the amounts are 100, so that a page shows 100 where 600 are paid, and a
# payment of two is reverted, or goes to what the contract does with calls that it does not know. Write and read such
# calls with ethers. Claims here have lists without a length (docs/claims.md).
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts @exodus/solidity-contract@1.3.0 \
  ethers@6.17.0 >/dev/null
cat >"$dir/code.mjs" <<'JS'
import contracts from "@exodus/solidity-contract";
import { Interface } from "ethers";

const payer = new Interface(["function pay(address[] to, uint256[] amounts)",
  "function payThree(address[3] to, uint256[3] amounts)", "function payAll((address to, uint256 amount)[] list)",
  "function payTwo((address to, uint256 amount)[2] list)",
  "function payGroups((address to, uint256 amount)[][] groups)"]);
const SolidityContract = contracts.default ?? contracts;
const contract = new SolidityContract(JSON.parse(payer.formatJson()));
for (const { name, selector } of payer.fragments)
  console.log(`${name}: ${contract[name].methodId}, ethers ${selector}`);
const alice = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
for (const [name, ...values] of [["pay", [alice, alice, alice], [100n, 200n, 300n]],
  ["payThree", [alice, alice, alice], [100n, 200n, 300n]], ["payTwo", [[alice, 100n], [alice, 200n]]]]) {
  try {
    console.log(`${name}: ${JSON.stringify(contract.decodeInput(payer.encodeFunctionData(name, values)).values[1])}`);
  } catch ({ message }) {
    console.log(`${name}: ${message}`);
  }
}
JS
seen=$(cd "$dir" && node code.mjs)
wanted='pay: 0x084ce708, ethers 0x084ce708
payThree: 0x213b41b0, ethers 0x213b41b0
payAll: 0xfc68466f, ethers 0xfc68466f
payTwo: 0x4d28178c, ethers 0xc65387f9
payGroups: 0x63ec1ef3, ethers 0x6ba6972c
pay: ["100","200","300"]
payThree: "100,200,300"
payTwo: Not a valid method ID for this contract'
[ "$seen" = "$wanted" ] || { printf 'It wrote and read\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: to @exodus/solidity-contract three amounts are one text, and two structs another function"
