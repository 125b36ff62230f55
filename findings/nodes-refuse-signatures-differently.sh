#!/usr/bin/env bash
# Three nodes of Ethereum that developers run: Hardhat 2.26.3, Ganache 7.9.2, Anvil 1.7.1, under Node 20.
#
# Expected: a contract wallet that refuses a signature (ERC-1271) makes `eth_call` fail the same way
# everywhere: code 3, "execution reverted", as the specification of the JSON-RPC API (execution-apis) has
# it.
#
# Seen: no two agree, and Hardhat's and Ganache's codes are those of EIP-1474 for an internal error of the
# node (-32603) and an invalid input (-32000). A wallet that ends with INVALID, as Solady's do, has code 3
# nowhere. A program that reads codes takes "your signature is wrong" for "the node is broken, try again".
#   node      revert                                            INVALID
#   hardhat   -32603 Transaction reverted without a reason …    -32603 VM Exception …: invalid opcode
#   ganache   -32000 VM Exception …: revert                     -32000 VM Exception …: invalid opcode
#   anvil     3 execution reverted                              -32603 EVM error InvalidFEOpcode
#
# What follows: sign-in by a contract wallet takes any error of `eth_call` for a refusal unless it is a
# limit, a timeout or a request that the node does not take, and only if the same node then answers
# `eth_getCode`.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$dir" hardhat@2.26.3 ganache@7.9.2 \
  @foundry-rs/anvil@1.7.1 @foundry-rs/anvil-linux-amd64@1.7.1 > /dev/null
echo 'module.exports = { solidity: "0.8.30" };' > "$dir/hardhat.config.js"
cat > "$dir/ask.mjs" <<'JS'
import { spawn } from "node:child_process";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

const COMMANDS = {
  hardhat: (port) => ["node_modules/.bin/hardhat", "node", "--hostname", "127.0.0.1", "--port", port],
  ganache: (port) => ["node_modules/.bin/ganache", "--server.host", "127.0.0.1", "--server.port", port],
  anvil: (port) => ["node_modules/.bin/anvil", "--host", "127.0.0.1", "--port", port],
};
/** Code that deploys a contract which reverts at every call, and one which ends with INVALID. */
const WALLETS = { revert: "0x6460006000fd6000526005601bf3", INVALID: "0x60fe60005360016000f3" };
const CALL = `0x1626ba7e${"00".repeat(128)}`;

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(String(port)));
    });
  });

for (const [name, commandOf] of Object.entries(COMMANDS)) {
  const port = await freePort();
  const [command, ...args] = commandOf(port);
  const environment = { ...process.env, HARDHAT_DISABLE_TELEMETRY_PROMPT: "true" };
  const node = spawn(command, args, { stdio: "ignore", env: environment });
  const send = async (method, ...params) => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    const headers = { "Content-Type": "application/json" };
    return (await fetch(`http://127.0.0.1:${port}`, { method: "POST", headers, body })).json();
  };
  try {
    while (!(await send("eth_accounts").catch(() => null))?.result) {
      if (node.exitCode !== null) throw new Error(`${name} did not start`);
      await sleep(200);
    }
    const [from] = (await send("eth_accounts")).result;
    for (const [end, data] of Object.entries(WALLETS)) {
      const { result: hash } = await send("eth_sendTransaction", { from, data, gas: "0x100000" });
      const { contractAddress: to } = (await send("eth_getTransactionReceipt", hash)).result;
      const { error } = await send("eth_call", { to, data: CALL }, "latest");
      console.log(`${name} ${end}: ${error.code} ${error.message}`);
    }
  } finally {
    node.kill();
  }
}
JS
cat > "$dir/expected" <<'TEXT'
hardhat revert: -32603 Error: Transaction reverted without a reason string
hardhat INVALID: -32603 Error: VM Exception while processing transaction: invalid opcode
ganache revert: -32000 VM Exception while processing transaction: revert
ganache INVALID: -32000 VM Exception while processing transaction: invalid opcode
anvil revert: 3 execution reverted
anvil INVALID: -32603 EVM error InvalidFEOpcode
TEXT
(cd "$dir" && node ask.mjs) > "$dir/seen"
diff "$dir/expected" "$dir/seen"
echo "ok: one refused signature, three codes of JSON-RPC"
