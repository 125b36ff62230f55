#!/usr/bin/env bash
# viem 2.57.20, ethers 6.17.0 and @ambire/signature-validator 1.5.0, under Node 20.
#
# Expected: a caller that asks a node about the signature of a contract wallet (ERC-1271) learns that the
# node did not answer, when it did not.
#
# Seen: viem's `verifyMessage` and `verifySiweMessage` answer `false`, "the signature is wrong", when the
# node is behind a gateway that fails, refuses the API key, is over its limit or cannot be reached at all.
# Nothing is thrown or logged. ethers throws, but an error of JSON-RPC such as a limit (-32005) is a
# CALL_EXCEPTION, "missing revert data", which its documentation has for a transaction that reverted.
# Ambire's validator passes on what ethers throws.
#
# What follows: sign-in by a contract wallet uses viem for bytes and HTTP only, and decides itself what an
# error means.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$dir" viem@2.57.20 ethers@6.17.0 \
  @ambire/signature-validator@1.5.0 > /dev/null
cat > "$dir/ask.mjs" <<'JS'
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import validator from "@ambire/signature-validator";
import { Contract, JsonRpcProvider, Network } from "ethers";
import { createPublicClient, http } from "viem";
import { mainnet } from "viem/chains";
import { createSiweMessage } from "viem/siwe";

const address = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const signature = `0x${"ab".repeat(97)}`;
const message = createSiweMessage({
  ...{ address, chainId: 1, version: "1", nonce: "0123456789", issuedAt: new Date() },
  ...{ domain: "points.example.com", uri: "https://points.example.com" },
});
const ABI = ["function isValidSignature(bytes32, bytes) view returns (bytes4)"];
const limit = { code: -32005, message: "daily request count exceeded, request rate limited" };
const ANSWERS = {
  "bad gateway": () => [502, "Bad gateway"],
  "wrong key": () => [401, "{}"],
  limit: (id) => [200, JSON.stringify({ jsonrpc: "2.0", id, error: limit })],
  "hung up": () => null,
};
const said = (run) => run().then(String, ({ code, name }) => `throws ${code ?? name}`);

for (const [name, answer] of Object.entries(ANSWERS)) {
  const node = createServer(async (request, reply) => {
    const answered = answer(JSON.parse(await text(request)).id);
    if (!answered) return void reply.destroy();
    reply.writeHead(answered[0], { "Content-Type": "application/json" }).end(answered[1]);
  });
  await new Promise((resolve) => node.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${node.address().port}`;
  const client = createPublicClient({ chain: mainnet, transport: http(url, { retryCount: 0 }) });
  const staticNetwork = Network.from(1);
  const provider = new JsonRpcProvider(url, staticNetwork, { staticNetwork, batchMaxCount: 1 });
  const wallet = new Contract(address, ABI, provider);
  const results = [
    await said(() => client.verifyMessage({ address, message, signature })),
    await said(() => client.verifySiweMessage({ message, signature })),
    await said(() => wallet.isValidSignature(`0x${"00".repeat(32)}`, signature)),
    await said(() => validator.verifyMessage({ provider, signer: address, message, signature })),
  ];
  console.log(`${name}: ${results.join(", ")}`);
  provider.destroy();
  node.close();
}
JS
cat > "$dir/expected" <<'TEXT'
bad gateway: false, false, throws SERVER_ERROR, throws SERVER_ERROR
wrong key: false, false, throws SERVER_ERROR, throws SERVER_ERROR
limit: false, false, throws CALL_EXCEPTION, throws CALL_EXCEPTION
hung up: false, false, throws ECONNRESET, throws ECONNRESET
TEXT
node "$dir/ask.mjs" > "$dir/seen"
diff "$dir/expected" "$dir/seen"
echo "ok: viem calls a signature wrong when its node does not answer"
