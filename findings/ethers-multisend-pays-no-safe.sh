#!/usr/bin/env bash
# ethers-multisend 3.1.0 from npm, which makes one transaction of many for a Safe, a wallet of several owners. Safe's
# own contracts 1.4.1, from @safe-global/safe-contracts, run in ganache 7.9.2.
# Expected: as its documentation says, ether is one of "the most common types of transactions", which it encodes
# easily. A transfer of ether has no data, and each wallet takes it.
# Really: the data of such a transfer is 0x00, one byte, which is a call of a function without a name. An account
# without code does not look at it. A Safe takes ether without data only, and so does each contract that has `receive`
# and no payable `fallback`. All payments of the list are reverted then, also those to others. With 0x instead, all
# are made.
# What follows: a list of payouts works until one recipient has a Safe, and says nothing of which one. Replace the
# data of transfers of ether by "0x". Points here are no ether, and claims of tokens are calls of their contract
# (docs/claims.md).
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts ethers-multisend@3.1.0 \
  @safe-global/safe-contracts@1.4.1 ganache@7.9.2 >/dev/null
cat >"$dir/pay.cjs" <<'JS'
const { Interface } = require("@ethersproject/abi");
const { encodeMulti, encodeSingle, TransactionType } = require("ethers-multisend");
const ganache = require("ganache");

const contract = (path) => require(`@safe-global/safe-contracts/build/artifacts/contracts/${path}.json`);
const ETHER = 10n ** 18n;
(async () => {
  const provider = ganache.provider({ logging: { quiet: true }, wallet: { totalAccounts: 2 } });
  const send = (method, ...params) => provider.request({ method, params });
  const [from, alice] = await send("eth_accounts");
  const run = async (transaction) => {
    const hash = await send("eth_sendTransaction", { from, gas: "0x600000", ...transaction });
    return send("eth_getTransactionReceipt", hash);
  };
  const deploy = async (path, argument = "") =>
    (await run({ data: contract(path).bytecode + argument })).contractAddress;
  const balance = async (address) => BigInt(await send("eth_getBalance", address, "latest"));

  const singleton = await deploy("Safe.sol/Safe");
  const handler = await deploy("handler/CompatibilityFallbackHandler.sol/CompatibilityFallbackHandler");
  const safe = await deploy("proxies/SafeProxy.sol/SafeProxy", singleton.slice(2).padStart(64, "0"));
  const none = `0x${"00".repeat(20)}`;
  const setup = [[from], 1, none, "0x", handler, none, 0, none];
  await run({ to: safe, data: new Interface(contract("Safe.sol/Safe").abi).encodeFunctionData("setup", setup) });
  const multiSend = await deploy("libraries/MultiSendCallOnly.sol/MultiSendCallOnly");

  const ether = (to) =>
    encodeSingle({ type: TransactionType.transferFunds, id: "", token: null, to, amount: "1", decimals: 18 });
  const noData = (to) => ({ ...ether(to), data: "0x" });
  const lists = { "to Alice": [ether(alice)], "to Alice and a Safe": [ether(alice), ether(safe)],
    "to both without data": [noData(alice), noData(safe)] };
  for (const [name, list] of Object.entries(lists)) {
    const before = [await balance(alice), await balance(safe)];
    const value = `0x${(ETHER * BigInt(list.length)).toString(16)}`;
    const { status } = await run({ to: multiSend, value, data: encodeMulti(list, multiSend).data });
    const got = [(await balance(alice)) - before[0], (await balance(safe)) - before[1]].map((wei) => wei / ETHER);
    console.log(`${name}, ${list[0].data}: status ${Number(status)}, Alice ${got[0]}, the Safe ${got[1]}`);
  }
  await provider.disconnect();
})();
JS
seen=$(cd "$dir" && node pay.cjs 2>/dev/null)
wanted='to Alice, 0x00: status 1, Alice 1, the Safe 0
to Alice and a Safe, 0x00: status 0, Alice 0, the Safe 0
to both without data, 0x: status 1, Alice 1, the Safe 1'
[ "$seen" = "$wanted" ] || { printf 'The payments were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: one Safe among the recipients of ether of ethers-multisend, and nobody is paid"
