import type { Hex } from "viem";
import { log } from "@/server/kernel/log";
import { unavailable } from "@/server/kernel/retry-after";
import { addressKey } from "@/terms/address-text";

/** `isValidSignature` returns this when a contract accepts a signature (ERC-1271). */
const ERC_1271_VALID = "0x1626ba7e";
const RPC_MS_MAX = 4000;
const RETRY_AFTER_SECONDS = 2;

/** Ends a signature for a contract wallet that is not deployed yet (ERC-6492). */
const ERC_6492_END = "6492".repeat(16);
/** The last byte of a key's signature. */
const RECOVERY_IDS = [0, 1, 27, 28];

/** Hex with or without `0x`. */
export const SIGNATURE_PATTERN = /^(?:0x)?(?:[0-9a-fA-F]{2})+$/;

/**
 * The address that signed `message`: `address` itself, with its key (ERC-191) or, if an RPC URL is set,
 * through its contract (ERC-1271); otherwise the address of the key that made the signature. If the message
 * was changed before it was signed, the signature yields an unknown address, which looks like another signer.
 * @throws DomainError `unavailable` when the chain does not answer
 */
export async function signerOf(
  address: string,
  message: string,
  signature: string,
  rpcUrl: string | undefined,
): Promise<{ signer: string } | { whyNone: string }> {
  if (!SIGNATURE_PATTERN.test(signature)) return { whyNone: "is not hex" };
  const digits = signature.replace(/^0x/, "").toLowerCase();
  const signer = await signingKey(message, digits);
  const isHis = (key: string | null) => key !== null && addressKey(key) === addressKey(address);
  if (signer !== null && isHis(signer)) return { signer };
  if (rpcUrl !== undefined && (await isSignedByContract(address, message, `0x${digits}`, rpcUrl)))
    return { signer: address };
  for (const [meant, whyNone] of otherForms(digits))
    if (isHis(await signingKey(message, meant))) return { whyNone };
  return signer === null ? { whyNone: reasonOf(digits, rpcUrl !== undefined) } : { signer };
}

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
function reasonOf(digits: string, isContractAsked: boolean): string {
  const bytes = digits.length / 2;
  const contract = isContractAsked
    ? "The operator's contract did not accept it (ERC-1271)"
    : "One of a smart-contract wallet (ERC-1271) can be checked only when the service has an RPC_URL";
  if (digits.endsWith(ERC_6492_END))
    return (
      "is wrapped for a wallet that is not deployed yet (ERC-6492). " +
      "Deploy the wallet, and send what it signs then"
    );
  if (bytes !== 65 && bytes !== 64)
    return `has ${bytes} bytes; a key's has 65, or 64 in its compact form (ERC-2098). ${contract}`;
  const last = Number.parseInt(digits.slice(-2), 16);
  if (bytes === 65 && !RECOVERY_IDS.includes(last))
    return `ends with ${last}, but the last byte, its recovery ID, must be 0, 1, 27 or 28. ${contract}`;
  return "is not valid for any address";
}

async function isSignedByContract(
  address: string,
  message: string,
  signature: string,
  rpcUrl: string,
): Promise<boolean> {
  const { createPublicClient, encodeFunctionData, hashMessage, http, parseAbi } = await import("viem");
  const client = createPublicClient({
    transport: http(rpcUrl, { timeout: RPC_MS_MAX, retryCount: 0 }),
    // A contract's answer may name URLs to read (EIP-3668), also of the internal network.
    ccipRead: false,
  });
  const data = encodeFunctionData({
    abi: parseAbi(["function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)"]),
    args: [hashMessage(message), signature as Hex],
  });
  try {
    const { data: answer } = await client.call({ to: address as Hex, data });
    return answer?.toLowerCase().slice(0, 10) === ERC_1271_VALID;
  } catch (error) {
    if (await isRevert(error)) return false;
    // The full error contains the signature and the RPC URL, which may include an API key.
    const { shortMessage } = error as { shortMessage?: string };
    log().warn(
      { reason: shortMessage ?? "unknown" },
      "the blockchain RPC endpoint did not answer a signature check",
    );
    throw unavailable("The blockchain RPC endpoint did not answer. Retry.", RETRY_AFTER_SECONDS);
  }
}

/** The contract was called and reverted. Any other error means that it was not reached. */
async function isRevert(error: unknown): Promise<boolean> {
  const { BaseError, ExecutionRevertedError } = await import("viem");
  return (
    error instanceof BaseError && error.walk((cause) => cause instanceof ExecutionRevertedError) !== null
  );
}
