import type { Hex } from "viem";
import { unavailable } from "../kernel/limits";
import { log } from "../kernel/log";
import { addressKey } from "../kernel/values/address-text";

/** A signed message is 65 bytes: r, s and a recovery id of 0/1 or 27/28. */
const EOA_SIGNATURE = /^0x[0-9a-fA-F]{130}$/;
/** `isValidSignature` returns this when a contract accepts a signature (ERC-1271). */
const ERC_1271_VALID = "0x1626ba7e";
const RPC_MS_MAX = 4000;
const RETRY_AFTER_SECONDS = 2;

/**
 * The address that signed `message`: `address` itself, with its key (ERC-191) or, if an RPC URL is set, through its
 * contract (ERC-1271); otherwise the address of the key that made the signature. Null if no key did. If the message was
 * changed before it was signed, the signature yields an unknown address, which looks like another signer.
 * @throws DomainError `unavailable` when the chain does not answer
 */
export async function signerOf(
  address: string,
  message: string,
  signature: string,
  rpcUrl: string | undefined,
): Promise<string | null> {
  const signer = await signingKey(message, signature);
  const isOther = signer === null || addressKey(signer) !== addressKey(address);
  return isOther && rpcUrl !== undefined && (await isSignedByContract(address, message, signature, rpcUrl))
    ? address
    : signer;
}

/** Loading takes 0.2 s or more, so it starts with the challenge and is done when the signature arrives. */
export const loadSignatureCheck = () => import("viem/utils");

async function signingKey(message: string, signature: string): Promise<string | null> {
  if (!EOA_SIGNATURE.test(signature)) return null;
  const { recoverMessageAddress } = await loadSignatureCheck();
  try {
    return await recoverMessageAddress({ message, signature: signature as Hex });
  } catch {
    // Not a point on the curve, or an invalid recovery ID.
    return null;
  }
}

async function isSignedByContract(
  address: string,
  message: string,
  signature: string,
  rpcUrl: string,
): Promise<boolean> {
  const { createPublicClient, encodeFunctionData, hashMessage, http, parseAbi } = await import("viem");
  const client = createPublicClient({ transport: http(rpcUrl, { timeout: RPC_MS_MAX, retryCount: 0 }) });
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
