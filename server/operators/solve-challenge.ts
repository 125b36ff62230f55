import type { Database } from "@/db/client";
import { tokenIsValid } from "@/server/auth/limits";
import { hashToken, makeToken } from "@/server/auth/tokens";
import { contractNotFound } from "@/server/ledger/accounts";
import { addressKey } from "../kernel/values/address-text";
import { addressToBytes } from "../kernel/values/addresses";
import { DomainError } from "../kernel/values/problems";
import { type Challenge, challengeMessage, expiresAtMs, openChallenge } from "./challenge";
import { signerOf } from "./verify-signature";

/** Lifetime of an operator's token (docs/api.md, "Operators: sign in with a wallet"). */
export const OPERATOR_TOKEN_SECONDS = 3600;

export interface SolveSettings {
  secret: string;
  rpcUrl: string | undefined;
}

/**
 * Exchanges the signature of a challenge for a token.
 * @throws DomainError `challenge_expired`, `contract_not_found`, `invalid_signature`, `not_operator`, `unavailable`
 */
export async function solveChallenge(
  db: Database,
  input: { challengeData: string; signature: string },
  { secret, rpcUrl }: SolveSettings,
): Promise<{ bearerToken: string }> {
  const challenge = openChallenge(input.challengeData, secret);
  if (!challenge) throw challengeExpired("The challenge was not issued by this service or was modified.");
  const [clock] = await db.sql`select 1 as fresh where now() < ${toInstant(challenge)}::timestamptz`;
  if (!clock) throw challengeExpired("The challenge has expired.");
  await requireOperatorsSignature(db, challenge, input.signature, rpcUrl);
  const bearerToken = makeToken("operator");
  if (!(await storeToken(db, challenge, bearerToken)))
    throw challengeExpired("The challenge has expired or was already used.");
  return { bearerToken };
}

/** The contract's operator must have requested the challenge and signed it. Refusals name the signer, who is the caller. */
async function requireOperatorsSignature(
  db: Database,
  challenge: Challenge,
  signature: string,
  rpcUrl: string | undefined,
): Promise<void> {
  const { contractAddress, operatorAddress } = challenge;
  const [contract] = await db.sql<{ operator: Buffer | null }[]>`
    select operator_address as operator from contracts where address = ${addressToBytes(contractAddress)}::bytea`;
  if (!contract) throw contractNotFound(contractAddress);
  const signer = await signerOf(operatorAddress, challengeMessage(challenge), signature, rpcUrl);
  if (!signer) throw invalidSignature("The signature is not valid for any address.");
  if (!contract.operator?.equals(addressToBytes(signer))) {
    throw new DomainError(
      "not_operator",
      `The signature is by ${signer}, which is not the operator of the contract ${contractAddress}. If you do not know that address, the message was changed before it was signed.`,
      { extra: { signer } },
    );
  }
  if (addressKey(signer) !== addressKey(operatorAddress)) {
    throw invalidSignature(
      `The challenge was requested for ${operatorAddress}, but ${signer} signed it. Request a challenge for the signer.`,
    );
  }
}

/**
 * Spends the challenge, then stores the token. These are separate statements: on Citus a combined one would need every
 * worker, and one that is down would lock out everyone. If the contract gets a new operator in between, the token is
 * refused when it is used.
 * @returns false if the challenge has expired or was spent before
 */
async function storeToken(db: Database, challenge: Challenge, bearerToken: string): Promise<boolean> {
  const [spent] = await db.sql`
    insert into spent_challenges (nonce, expires_at)
    select ${challenge.nonce}, ${toInstant(challenge)}::timestamptz where now() < ${toInstant(challenge)}::timestamptz
    on conflict (nonce) do nothing returning 1 as spent`;
  if (!spent) return false;
  const hash = hashToken(bearerToken);
  await db.sql`
    insert into operator_tokens (contract_address, token_hash, operator_address, expires_at)
    values (${addressToBytes(challenge.contractAddress)}::bytea, ${hash}::bytea,
      ${addressToBytes(challenge.operatorAddress)}::bytea, now() + ${OPERATOR_TOKEN_SECONDS}::int * interval '1 second')`;
  tokenIsValid(db, hash.toString("hex"));
  return true;
}

const toInstant = (challenge: Challenge) => new Date(expiresAtMs(challenge)).toISOString();

const CHALLENGE_HEADER = {
  "WWW-Authenticate": 'Bearer realm="point-transfer-batches", error="invalid_token"',
};
const challengeExpired = (detail: string) =>
  new DomainError("challenge_expired", detail, { headers: CHALLENGE_HEADER });
const invalidSignature = (detail: string) =>
  new DomainError("invalid_signature", detail, { headers: CHALLENGE_HEADER });
