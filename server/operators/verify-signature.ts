import type { Hex } from "viem";
import { log } from "@/server/kernel/log";
import { unavailable } from "@/server/kernel/retry-after";
import { addressKey } from "@/terms/address-text";

/** `isValidSignature` returns this when a contract accepts a signature (ERC-1271). */
const ERC_1271_VALID = "0x1626ba7e";
const RPC_MS_MAX = 4000;
const RETRY_AFTER_SECONDS = 2;

/** Ends a signature that also says how to deploy its contract wallet (ERC-6492). */
const ERC_6492_END = "6492".repeat(16);
const RECOVERY_IDS = [0, 1, 27, 28];

/** Hex with or without `0x`. A wallet that approved a message on chain has the empty signature `0x`. */
export const SIGNATURE_PATTERN = /^(?:0x(?:[0-9a-fA-F]{2})*|(?:[0-9a-fA-F]{2})+)$/;

/** What the operator's contract says. Without an RPC URL nobody asks it. */
type ContractAnswer = "accepted" | "refused" | "no code" | "not asked";

/** @param orElse why an unknown signer may be a wrong one, after "or" */
type Found = { signer: string; orElse?: string } | { whyNone: string };

/**
 * The address that signed `message`: `address` itself, with its key (ERC-191) or, if an RPC URL is set,
 * through its contract (ERC-1271); otherwise the address of the key that made the signature. A signature over
 * anything else also yields an address, of nobody: that of a changed message, or what an owner of a contract
 * wallet signs for it.
 * @throws DomainError `unavailable` when the chain does not answer
 */
export async function signerOf(
  address: string,
  message: string,
  signature: string,
  rpcUrl: string | undefined,
): Promise<Found> {
  if (!SIGNATURE_PATTERN.test(signature)) return { whyNone: "is not hex" };
  const digits = signature.replace(/^0x/, "").toLowerCase();
  const signer = await signingKey(message, digits);
  const isHis = (key: string | null) => key !== null && addressKey(key) === addressKey(address);
  if (signer !== null && isHis(signer)) return { signer };
  const forContract = await unwrapped(digits);
  if (forContract === null)
    return { whyNone: "ends as one that is wrapped (ERC-6492), but cannot be unwrapped" };
  const contract =
    rpcUrl === undefined ? "not asked" : await askContract(address, message, forContract, rpcUrl);
  if (contract === "accepted") return { signer: address };
  for (const [meant, whyNone] of otherForms(digits))
    if (isHis(await signingKey(message, meant))) return { whyNone };
  if (contract === "refused")
    return {
      whyNone:
        "was refused by the operator's contract (ERC-1271). Send what the wallet itself makes for the " +
        "message, not the signature of one of its owners",
    };
  return signer === null ? { whyNone: reasonOf(digits, contract) } : { signer, orElse: OR_ELSE[contract] };
}

const OR_ELSE = {
  "no code": "the operator is a smart-contract wallet on another chain than the service's RPC_URL",
  "not asked":
    "the operator is a smart-contract wallet (ERC-1271), whose signature can be checked only when the " +
    "service has an RPC_URL",
};

/** Loading takes 0.2 s or more, so it starts with the challenge and is done when the signature arrives. */
export const loadSignatureCheck = () => import("viem/utils");

/** @param digits r, s and a recovery ID of 0, 1, 27 or 28; or the compact form of 64 bytes (ERC-2098) */
async function signingKey(message: string, digits: string): Promise<string | null> {
  if (digits.length !== 128 && digits.length !== 130) return null;
  const { recoverMessageAddress } = await loadSignatureCheck();
  const signature: Hex = `0x${digits.length === 128 ? fromCompact(digits) : digits}`;
  try {
    return await recoverMessageAddress({ message, signature });
  } catch {
    // Not a point on the curve, or an invalid recovery ID.
    return null;
  }
}

/** The first bit of s, which is 0 in every signature, has the recovery ID. */
function fromCompact(digits: string): string {
  const first = Number.parseInt(digits[64]!, 16);
  return `${digits.slice(0, 64)}${first & 7}${digits.slice(65)}0${first >> 3}`;
}

/** What a signature in another form means, and what is wrong with it. As it is, it may name a stranger. */
function otherForms(digits: string): [meant: string, whyNone: string][] {
  const [id, s] = [digits.slice(0, 2), Number.parseInt(digits[64]!, 16)];
  // 31 and 32 are 27 and 28 of a compressed key.
  const last = { "1f": "1b", "20": "1c" }[id] ?? id;
  return [
    [`${digits.slice(2)}${last}`, "begins with its recovery ID, which must be the last byte"],
    [
      `${digits.slice(0, 64)}${(s ^ 8).toString(16)}${digits.slice(65)}`,
      "has 64 bytes, but not the recovery ID, which must be the last of 65",
    ],
  ];
}

/** Why no key made this signature, after "The signature". */
function reasonOf(digits: string, contract: keyof typeof OR_ELSE): string {
  const bytes = digits.length / 2;
  const whyNoContract = {
    "no code": "The operator has no contract on the chain of RPC_URL (ERC-1271)",
    "not asked":
      "One of a smart-contract wallet (ERC-1271) can be checked only when the service has an RPC_URL",
  }[contract];
  if (digits.endsWith(ERC_6492_END)) {
    const todo = contract === "no code" ? "Deploy the wallet, and sign in again" : whyNoContract;
    return `is wrapped for a wallet that is not deployed yet (ERC-6492). ${todo}`;
  }
  if (bytes === 0) return `is empty. ${whyNoContract}`;
  if (bytes !== 65 && bytes !== 64)
    return `has ${bytes} bytes; a key's has 65, or 64 in its compact form (ERC-2098). ${whyNoContract}`;
  const last = Number.parseInt(digits.slice(-2), 16);
  if (bytes === 65 && !RECOVERY_IDS.includes(last))
    return `ends with ${last}, but the last byte, its recovery ID, must be 0, 1, 27 or 28. ${whyNoContract}`;
  return "is not valid for any address";
}

/** The signature for the wallet's contract; null if it is wrapped for deployment in a way nobody can read. */
async function unwrapped(digits: string): Promise<Hex | null> {
  const { parseErc6492Signature } = await loadSignatureCheck();
  try {
    return digits.endsWith(ERC_6492_END) ? parseErc6492Signature(`0x${digits}`).signature : `0x${digits}`;
  } catch {
    return null;
  }
}

/** A call, as JSON-RPC has it, to the operator's address. viem's own `call` would follow EIP-3668. */
async function askContract(
  address: string,
  message: string,
  signature: Hex,
  rpcUrl: string,
): Promise<Exclude<ContractAnswer, "not asked">> {
  const { createClient, encodeFunctionData, hashMessage, http, parseAbi } = await import("viem");
  const client = createClient({ transport: http(rpcUrl, { timeout: RPC_MS_MAX, retryCount: 0 }) });
  const data = encodeFunctionData({
    abi: parseAbi(["function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)"]),
    args: [hashMessage(message), signature],
  });
  const to = address as Hex;
  try {
    const answer = await client
      .request({ method: "eth_call", params: [{ to, data }, "latest"] })
      .catch(refusedOrThrow);
    if (answer?.toLowerCase().slice(0, 10) === ERC_1271_VALID) return "accepted";
    // Also proves that the chain answers, so that an error of the call was the contract's.
    const code = await client.request({ method: "eth_getCode", params: [to, "latest"] });
    return (code ?? "0x") === "0x" ? "no code" : "refused";
  } catch (error) {
    // The full error contains the signature and the RPC URL, which may include an API key.
    const { shortMessage } = error as { shortMessage?: string };
    log().warn(
      { reason: shortMessage ?? "unknown" },
      "the blockchain RPC endpoint did not answer a signature check",
    );
    throw unavailable("The blockchain RPC endpoint did not answer. Retry.", RETRY_AFTER_SECONDS);
  }
}

const REVERTED = 3;
/** Over a limit, out of time, or a request it does not take: the node did not run the contract to its end. */
const NOT_RUN_CODES = [429, -32_600, -32_601, -32_602, -32_700, -32_002, -32_004, -32_005, -32_007];
const NOT_RUN =
  /too many requests|rate.?limit|request (?:count|limit)|compute units|quota|time.?out|timed out/i;

/**
 * Null if the node ran the contract, which ended in an error: it refused. Nodes have no common code for
 * that (3, -32000, -32003, -32015 and -32603 are all used), so what is not known to be another error is this.
 */
async function refusedOrThrow(error: unknown): Promise<null> {
  const { BaseError, RpcRequestError } = await import("viem");
  const reply = error instanceof BaseError ? error.walk((cause) => cause instanceof RpcRequestError) : null;
  // With a status, it came with an HTTP error.
  if (!(reply instanceof RpcRequestError) || reply.status !== undefined) throw error;
  const { code, details } = reply;
  if (NOT_RUN_CODES.includes(code) || (code !== REVERTED && NOT_RUN.test(details))) throw error;
  return null;
}
