#!/usr/bin/env bash
# solidity-to-abi 1.0.4 from npm, which makes a function's interface of a line such as "transfer(address to, uint256
# amount):(bool ok)". ethers 6.17.0 and 5.8.0 use the interface here, with a node that notes what it is asked.
# Expected: as its documentation shows, the interface has "constant": false. A function that is not constant is sent as
# a transaction, and one that is constant is only calculated by the node.
# Really: constant is always true, also with the option constant: false, as the code is `options.constant || true`. So
# ethers, of either version, asks the node what transfer would answer, and gives back that answer: true. No transaction
# is sent or signed. Where the interface has false, the payment is sent. Events get the word as well, which is
# harmless.
# What follows: a program that pays by such an interface is answered true for each payment, and none is made. Set
# `constant` to false after the interface was made, and look for the hash of a transaction, not at the answer. Claims
# here are calls of a contract with its full interface (docs/claims.md).
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts solidity-to-abi@1.0.4 ethers@6.17.0 \
  five@npm:ethers@5.8.0 >/dev/null
cat >"$dir/pay.cjs" <<'JS'
const solidityToABI = require("solidity-to-abi");
const six = require("ethers");
const { ethers: five } = require("five");

const alice = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const answers = { eth_chainId: "0x1", net_version: "1", eth_accounts: [alice], eth_blockNumber: "0x1",
  eth_call: `0x${"1".padStart(64, "0")}`, eth_estimateGas: "0x5208", eth_sendTransaction: `0x${"ab".repeat(32)}` };
const pay = async (name, fragment, signerOf, Contract) => {
  const asked = [];
  const request = async ({ method }) => (asked.push(method), answers[method] ?? null);
  const contract = new Contract(alice, [fragment], await signerOf({ request }));
  const paid = await Promise.race([contract.transfer(alice, 5), new Promise((done) => setTimeout(done, 500))]);
  const sent = asked.filter((method) => ["eth_call", "eth_sendTransaction"].includes(method));
  console.log(`${name}: constant ${fragment.constant}, asked ${sent}, answered ${paid === true}`);
};
(async () => {
  const line = "transfer(address to, uint256 amount):(bool ok)";
  const made = solidityToABI(line, { constant: false });
  for (const fragment of [made, solidityToABI(line), { ...made, constant: false }]) {
    await pay("ethers 6", fragment, (node) => new six.BrowserProvider(node).getSigner(), six.Contract);
    await pay("ethers 5", fragment, (node) => new five.providers.Web3Provider(node).getSigner(), five.Contract);
  }
  process.exit();
})();
JS
seen=$(cd "$dir" && node pay.cjs)
wanted='ethers 6: constant true, asked eth_call, answered true
ethers 5: constant true, asked eth_call, answered true
ethers 6: constant true, asked eth_call, answered true
ethers 5: constant true, asked eth_call, answered true
ethers 6: constant false, asked eth_sendTransaction, answered false
ethers 5: constant false, asked eth_sendTransaction, answered false'
[ "$seen" = "$wanted" ] || { printf 'They asked\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: by an interface of solidity-to-abi, a payment is answered true and never sent"
