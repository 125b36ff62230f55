import type { Database } from "@/db/client";
import { addressFromBytes, addressToBytes } from "../kernel/values/addresses";
import { challengeMessage, makeNonce, sealChallenge } from "./challenge";
import { loadSignatureCheck } from "./verify-signature";

export interface ChallengeSettings {
  origin: string;
  chainId: number;
  secret: string;
}

/** A challenge for any contract and operator. It does not reveal whether the contract exists. */
export async function startChallenge(
  db: Database,
  input: { contractAddress: string; operatorAddress: string },
  { origin, chainId, secret }: ChallengeSettings,
): Promise<{ challengeData: string; message: string }> {
  // Preload without waiting. If it fails, solving reports the error.
  loadSignatureCheck().catch(() => undefined);
  const [clock] = await db.sql<
    { ms: string }[]
  >`select floor(extract(epoch from now()) * 1000)::bigint as ms`;
  const challenge = {
    contractAddress: addressFromBytes(addressToBytes(input.contractAddress)),
    operatorAddress: addressFromBytes(addressToBytes(input.operatorAddress)),
    origin,
    chainId,
    nonce: makeNonce(),
    issuedAtMs: Number(clock!.ms),
  };
  return { challengeData: sealChallenge(challenge, secret), message: challengeMessage(challenge) };
}
