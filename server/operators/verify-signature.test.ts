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
const SIGNATURE = `0x${"ab".repeat(97)}`;

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

/** A fake RPC endpoint with one contract wallet that records its calls. */
async function chainThatAnswers(answer: object | "nothing"): Promise<{ url: string; calls: Call[] }> {
  const calls: Call[] = [];
  chain = createServer(async (request, reply) => {
    const call = JSON.parse(await text(request)) as Call & { id: number };
    calls.push(call);
    if (answer === "nothing") return void reply.destroy();
    reply.setHeader("Content-Type", "application/json");
    reply.end(JSON.stringify({ jsonrpc: "2.0", id: call.id, ...answer }));
  });
  return { url: `http://127.0.0.1:${await listenLocally(chain)}`, calls };
}

test("a contract wallet is called with the message hash and the signature, and must return the magic value", async () => {
  const { url, calls } = await chainThatAnswers({ result: `0x1626ba7e${"0".repeat(56)}` });
  expect(await isSignedBy(WALLET, "a message", SIGNATURE, url)).toBe(true);
  expect(calls).toHaveLength(1);
  const { to, data } = calls[0]!.params[0];
  expect([calls[0]!.method, to.toLowerCase()]).toEqual(["eth_call", WALLET.toLowerCase()]);
  const { args } = decodeFunctionData({ abi: ABI, data });
  expect(args).toEqual([hashMessage("a message"), SIGNATURE]);
});

test.each([
  ["a different value", { result: `0xffffffff${"0".repeat(56)}` }],
  ["no data, like an address without code", { result: "0x" }],
  ["one byte", { result: "0x16" }],
  ["a revert", { error: { code: 3, message: "execution reverted", data: "0x" } }],
])("a wallet that returns %s did not sign", async (_, answer) => {
  const { url } = await chainThatAnswers(answer);
  expect(await isSignedBy(WALLET, "a message", SIGNATURE, url)).toBe(false);
});

test.each([
  ["hangs up", "nothing" as const],
  ["fails", { error: { code: -32603, message: "internal error" } }],
])("a chain that %s is called once, and the result is unavailable with Retry-After", async (_, answer) => {
  const { url, calls } = await chainThatAnswers(answer);
  await expect(isSignedBy(WALLET, "a message", SIGNATURE, url)).rejects.toMatchObject({
    code: "unavailable",
    options: { headers: { "Retry-After": "2" } },
  });
  expect(calls).toHaveLength(1);
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
    [undeployed, /^is wrapped for a wallet that is not deployed yet \(ERC-6492\)/],
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
  const { url } = await chainThatAnswers({ result: "0x" });
  expect(await signerOf(account.address, message, owned, url)).toEqual({
    whyNone: expect.stringContaining("The operator's contract did not accept it (ERC-1271)"),
  });
});
