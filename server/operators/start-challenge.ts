import type { Database } from "@/db/client";
import { contractNotFound } from "@/server/ledger/accounts";
import { addressFromBytes, addressToBytes } from "../kernel/values/addresses";
import { challengeMessage, makeNonce, sealChallenge } from "./challenge";
import { loadSignatureCheck } from "./verify-signature";

export interface ChallengeSettings {
  origin: string;
  chainId: number;
  secret: string;
}

/**
 * A challenge for any address that wants to act for a registered contract. It does not reveal whether the address may.
 * @throws DomainError `contract_not_found`
 */
export async function startChallenge(
  db: Database,
  input: { contractAddress: string; operatorAddress: string },
  { origin, chainId, secret }: ChallengeSettings,
): Promise<{ challengeData: string; message: string }> {
  // Preload without waiting. If it fails, solving reports the error.
  loadSignatureCheck().catch(() => undefined);
  // Two statements: on Citus the contract is on a worker, which has a clock of its own.
  const [clock] = await db.sql<
    [{ ms: string }]
  >`select floor(extract(epoch from now()) * 1000)::bigint as ms`;
  const [contract] = await db.sql`
    select 1 as found from contracts where address = ${addressToBytes(input.contractAddress)}::bytea`;
  if (!contract) throw contractNotFound(input.contractAddress);
  const challenge = {
    contractAddress: addressFromBytes(addressToBytes(input.contractAddress)),
    operatorAddress: addressFromBytes(addressToBytes(input.operatorAddress)),
    origin,
    chainId,
    nonce: makeNonce(),
    issuedAtMs: Number(clock.ms),
  };
  return { challengeData: sealChallenge(challenge, secret), message: challengeMessage(challenge) };
}
