import { createServer, type Server } from "node:http";
import { text } from "node:stream/consumers";
import {
  decodeFunctionData,
  encodeAbiParameters,
  encodeErrorResult,
  hashMessage,
  parseAbi,
  parseAbiParameters,
  parseSignature,
  serializeCompactSignature,
  serializeErc6492Signature,
  signatureToCompactSignature,
} from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterEach, expect, test } from "vitest";
import { listenLocally } from "@/testing/local-servers";
import { signerOf } from "./verify-signature";

const WALLET = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const ABI = parseAbi(["function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)"]);
const SIGNATURE = `0x${"ab".repeat(97)}` as const;
const ACCEPTED = { result: `0x1626ba7e${"0".repeat(56)}` };

const isSignedBy = async (
  address: string,
  message: string,
  signature: string,
  rpcUrl: string | undefined,
) => {
  const found = await signerOf(address, message, signature, rpcUrl);
  return "signer" in found && found.signer.toLowerCase() === address.toLowerCase();
};

let chain: Server | undefined;
afterEach(() => chain?.close());

type Call = { method: string; params: [{ to: string; data: `0x${string}` }] };
type Answer = { status?: number; result?: unknown; error?: object } | "nothing";
const CODE = { result: "0x6080" };
const NO_CODE = { result: "0x" };
const refusal = (code: number, message: string, data?: unknown) => ({ error: { code, message, data } });

/**
 * An RPC endpoint with one contract wallet that records its calls.
 * @param called what it answers to `eth_call` @param code to `eth_getCode`
 */
async function chainThatAnswers(called: Answer, code: Answer = CODE) {
  const calls: Call[] = [];
  chain = createServer(async (request, reply) => {
    const call = JSON.parse(await text(request)) as Call & { id: number };
    calls.push(call);
    const answer = call.method === "eth_getCode" ? code : called;
    if (answer === "nothing") return void reply.destroy();
    const { status = 200, ...body } = answer;
    reply.writeHead(status, { "Content-Type": "application/json" });
    reply.end(status === 502 ? "Bad gateway" : JSON.stringify({ jsonrpc: "2.0", id: call.id, ...body }));
  });
  return { url: `http://127.0.0.1:${await listenLocally(chain)}`, calls };
}

test("a contract wallet is called with the message hash and the signature, and must return the magic value", async () => {
  const { url, calls } = await chainThatAnswers(ACCEPTED);
  expect(await isSignedBy(WALLET, "a message", SIGNATURE, url)).toBe(true);
  expect(calls).toHaveLength(1);
  const { to, data } = calls[0]!.params[0];
  expect([calls[0]!.method, to.toLowerCase()]).toEqual(["eth_call", WALLET.toLowerCase()]);
  const { args } = decodeFunctionData({ abi: ABI, data });
  expect(args).toEqual([hashMessage("a message"), SIGNATURE]);
});

const GS026 = `0x08c379a0${"20".padStart(64, "0")}${"5".padStart(64, "0")}${"4753303236".padEnd(64, "0")}`;
const VM_EXCEPTION = "VM Exception while processing transaction:";
const hardhat = (message: string, data: string) => refusal(-32_603, message, { message, data });

// As these nodes answered when a Safe or Solady's wallet refused a signature.
test.each([
  ["a different value", { result: `0xffffffff${"0".repeat(56)}` }],
  ["no data", { result: "0x" }],
  ["one byte", { result: "0x16" }],
  ["null", { result: null }],
  ["a revert of geth", refusal(3, "execution reverted: GS026", GS026)],
  ["an invalid opcode of geth", refusal(-32_000, "invalid opcode: INVALID")],
  ["a revert of Hardhat", hardhat(`Error: ${VM_EXCEPTION} reverted with reason string 'GS026'`, GS026)],
  ["a plain revert of Hardhat", hardhat("Error: Transaction reverted without a reason string", "0x")],
  ["an invalid opcode of Hardhat", hardhat(`Error: ${VM_EXCEPTION} invalid opcode`, "0x")],
  ["all its gas on Hardhat", refusal(-32_000, "Transaction ran out of gas")],
  ["a revert of Ganache", refusal(-32_000, `${VM_EXCEPTION} revert GS026`, GS026)],
  ["an invalid opcode of Ganache", refusal(-32_000, `${VM_EXCEPTION} invalid opcode`, "0x")],
  ["an invalid opcode of Anvil", refusal(-32_603, "EVM error InvalidFEOpcode")],
  ["an invalid opcode of Nethermind", { result: "0x", ...refusal(-32_015, `${VM_EXCEPTION} invalid`) }],
  ["all its gas on Nethermind", refusal(-32_003, "out of gas")],
  ["a revert that speaks of a limit", refusal(3, "execution reverted: too many requests", "0x")],
])("a wallet that answers with %s refused the signature", async (_, answer) => {
  const { url } = await chainThatAnswers(answer);
  expect(await signerOf(WALLET, "a message", SIGNATURE, url)).toEqual({
    whyNone: expect.stringMatching(/^was refused by the operator's contract \(ERC-1271\)/),
  });
});

test.each([
  ["hangs up", "nothing" as const],
  ["is behind a gateway that fails", { status: 502 }],
  ["is behind a gateway that fails in JSON", { status: 500, ...refusal(-32_000, "upstream failed") }],
  ["is over Infura's limit", refusal(-32_005, "daily request count exceeded, request rate limited")],
  ["is over Alchemy's limit", refusal(429, "Your app has exceeded its compute units per second capacity")],
  ["is over QuickNode's limit", refusal(-32_007, "50/second request limit reached")],
  ["is over Ankr's limit", refusal(-32_090, "Too many requests, reason: call rate limit exhausted")],
  ["does not read the request", refusal(-32_600, "invalid request")],
  ["has no eth_call", refusal(-32_601, "the method eth_call does not exist/is not available")],
  ["has no eth_call, as Hardhat says it", refusal(-32_004, "Method eth_call is not supported")],
  ["stops the call after its own time", refusal(-32_000, "execution aborted (timeout = 5s)")],
])("a chain that %s is called once, and the result is unavailable with Retry-After", async (_, answer) => {
  const { url, calls } = await chainThatAnswers(answer);
  await expect(isSignedBy(WALLET, "a message", SIGNATURE, url)).rejects.toMatchObject({
    code: "unavailable",
    options: { headers: { "Retry-After": "2" } },
  });
  expect(calls).toHaveLength(1);
});

test("an error is the contract's only if the chain can say what code it has", async () => {
  const lost = refusal(-32_000, "header not found");
  const { url, calls } = await chainThatAnswers(lost, lost);
  await expect(isSignedBy(WALLET, "a message", SIGNATURE, url)).rejects.toMatchObject({
    code: "unavailable",
  });
  expect(calls.map(({ method }) => method)).toEqual(["eth_call", "eth_getCode"]);
});

test("a key's signature over something else names the signer only if the operator has no contract that refused it", async () => {
  const account = privateKeyToAccount(`0x${"11".repeat(32)}`);
  const signature = await account.signMessage({ message: "another message" });
  const found = async (code: Answer) => {
    const { url } = await chainThatAnswers({ result: "0x" }, code);
    const result = await signerOf(WALLET, "a message", signature, url);
    chain?.close();
    return result;
  };
  expect(await found(CODE)).toEqual({
    whyNone: expect.stringContaining("refused by the operator's contract"),
  });
  expect(await found(NO_CODE)).toEqual({
    signer: expect.stringMatching(/^0x/),
    orElse: "the operator is a smart-contract wallet on another chain than the service's RPC_URL",
  });
  expect(await signerOf(WALLET, "a message", signature, undefined)).toEqual({
    signer: expect.stringMatching(/^0x/),
    orElse: expect.stringContaining("can be checked only when the service has an RPC_URL"),
  });
});

test("an empty signature is one of a wallet that approved the message on chain", async () => {
  const { url, calls } = await chainThatAnswers(ACCEPTED);
  expect(await isSignedBy(WALLET, "a message", "0x", url)).toBe(true);
  const { args } = decodeFunctionData({ abi: ABI, data: calls[0]!.params[0].data });
  expect(args).toEqual([hashMessage("a message"), "0x"]);
  expect(await signerOf(WALLET, "a message", "0x", undefined)).toEqual({
    whyNone: expect.stringMatching(/^is empty\. .*RPC_URL/),
  });
  expect(await signerOf(WALLET, "a message", "", url)).toEqual({ whyNone: "is not hex" });
});

test("a signature wrapped for deployment (ERC-6492) is unwrapped for the contract, if it is deployed", async () => {
  const wrapped = serializeErc6492Signature({ address: WALLET, data: "0x12", signature: SIGNATURE });
  const { url, calls } = await chainThatAnswers(ACCEPTED);
  expect(await isSignedBy(WALLET, "a message", wrapped, url)).toBe(true);
  const { args } = decodeFunctionData({ abi: ABI, data: calls[0]!.params[0].data });
  expect(args).toEqual([hashMessage("a message"), SIGNATURE]);
  chain?.close();
  const empty = await chainThatAnswers({ result: "0x" }, NO_CODE);
  expect(await signerOf(WALLET, "a message", wrapped, empty.url)).toEqual({
    whyNone: expect.stringMatching(/^is wrapped for a wallet that is not deployed yet \(ERC-6492\)\. Deploy/),
  });
  const broken = `0x${"ff".repeat(64)}${"6492".repeat(16)}`;
  expect(await signerOf(WALLET, "a message", broken, empty.url)).toEqual({
    whyNone: "ends as one that is wrapped (ERC-6492), but cannot be unwrapped",
  });
});

test("a wallet that names a URL to read from (EIP-3668) did not sign, and the URL is not called", async () => {
  let visits = 0;
  const inside = createServer((_, reply) => {
    visits++;
    reply.end(JSON.stringify({ data: "0x" }));
  });
  const inner = `http://127.0.0.1:${await listenLocally(inside)}/{sender}`;
  const data = encodeErrorResult({
    abi: parseAbi(["error OffchainLookup(address, string[], bytes, bytes4, bytes)"]),
    args: [WALLET, [inner], "0x", "0x12345678", "0x"],
  });
  const { url } = await chainThatAnswers({ error: { code: 3, message: "execution reverted", data } });
  try {
    expect(await isSignedBy(WALLET, "a message", SIGNATURE, url)).toBe(false);
    expect(visits).toBe(0);
  } finally {
    inside.close();
  }
});

test("a key signs only for its own address and message, in any form of hex, compact or with recovery IDs 0, 1, 27 and 28", async () => {
  for (const _ of Array(4)) {
    const account = privateKeyToAccount(generatePrivateKey());
    const signature = await account.signMessage({ message: "a message" });
    const recovery = Number.parseInt(signature.slice(-2), 16);
    const low = `${signature.slice(0, -2)}${(recovery - 27).toString(16).padStart(2, "0")}`;
    const compact = serializeCompactSignature(signatureToCompactSignature(parseSignature(signature)));
    const forms = [signature, low, compact, `0x${signature.slice(2).toUpperCase()}`];
    for (const form of [...forms, ...forms.map((one) => one.slice(2))]) {
      expect(await isSignedBy(account.address, "a message", form, undefined), form).toBe(true);
      expect(await isSignedBy(account.address.toLowerCase(), "a message", form, undefined)).toBe(true);
    }
    expect(await isSignedBy(account.address, "another message", signature, undefined)).toBe(false);
    expect(await isSignedBy(WALLET, "a message", signature, undefined)).toBe(false);
    for (const odd of [
      `${signature.slice(0, -2)}1d`,
      `${signature}00`,
      ` ${signature}`,
      `0x${"00".repeat(65)}`,
      `0x${"11".repeat(64)}1d`,
      `0x${"ab".repeat(4096)}`,
    ])
      expect(await isSignedBy(account.address, "a message", odd, undefined)).toBe(false);
  }
});

test("a signature that no key made is refused with the reason, and never named after a stranger", async () => {
  const account = privateKeyToAccount(`0x${"11".repeat(32)}`);
  /** One whose s ends with a byte that could be a recovery ID, and which is another in the compact form. */
  const misleading = async () => {
    for (let number = 0; ; number++) {
      const signature = await account.signMessage({ message: String(number) });
      const ends = ["00", "01", "1b", "1c"].includes(signature.slice(-4, -2));
      if (ends && signature.endsWith("1c")) return [String(number), signature];
    }
  };
  const [message, signature] = (await misleading()) as [string, `0x${string}`];
  const recovery = Number.parseInt(signature.slice(-2), 16);
  const ending = (last: number) => signature.slice(0, -2) + last.toString(16).padStart(2, "0");
  const first = (id: number) => `0x${id.toString(16).padStart(2, "0")}${signature.slice(2, -2)}`;
  const owned = encodeAbiParameters(parseAbiParameters("uint256, bytes"), [0n, signature]);
  const undeployed = serializeErc6492Signature({ address: WALLET, data: "0x12", signature });
  const reasons: [signature: string, why: RegExp][] = [
    [first(recovery), /^begins with its recovery ID/],
    [first(recovery + 4), /^begins with its recovery ID/],
    [signature.slice(0, -2), /^has 64 bytes, but not the recovery ID/],
    [first(recovery - 27), /^begins with its recovery ID/],
    [
      ending(recovery + 4),
      /^ends with 3[12], but the last byte, its recovery ID, must be 0, 1, 27 or 28\. One of a/,
    ],
    [ending(37), /^ends with 37, but/],
    [undeployed, /^is wrapped for a wallet that is not deployed yet \(ERC-6492\)\. .*RPC_URL/],
    [owned, /^has 192 bytes; a key's has 65, or 64 in its compact form \(ERC-2098\)\. .*RPC_URL/],
    [`${signature}${signature.slice(2)}`, /^has 130 bytes/],
    [signature.slice(0, -4), /^has 63 bytes|^has 64 bytes/],
    [`0x${"00".repeat(65)}`, /^is not valid for any address/],
    ["not hex", /^is not hex/],
  ];
  for (const [odd, why] of reasons) {
    const found = await signerOf(account.address, message, odd, undefined);
    expect(found, `${why}`).toEqual({ whyNone: expect.stringMatching(why) });
  }
  const { url } = await chainThatAnswers({ result: "0x" }, NO_CODE);
  expect(await signerOf(account.address, message, owned, url)).toEqual({
    whyNone: expect.stringContaining("The operator has no contract on the chain of RPC_URL (ERC-1271)"),
  });
});
