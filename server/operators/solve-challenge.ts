import type { Database } from "@/db/client";
import { hashToken, makeToken } from "../auth/access-token";
import { tokenIsValid } from "../auth/token-failures";
import { addressToBytes } from "../kernel/values/addresses";
import { DomainError } from "../kernel/values/problems";
import { type Challenge, challengeMessage, expiresAtMs, openChallenge } from "./challenge";
import { isSignedBy } from "./verify-signature";

/** Lifetime of an operator's token (docs/api.md, "Operators: sign in with a wallet"). */
export const OPERATOR_TOKEN_SECONDS = 3600;

export interface SolveSettings {
  secret: string;
  rpcUrl: string | undefined;
}

/**
 * Exchanges the signature of a challenge for a token. An unknown contract and a different operator look like a wrong
 * signature, so that only the operator learns whether the contract exists.
 * @throws DomainError `challenge_expired`, `invalid_signature`, `unavailable`
 */
export async function solveChallenge(
  db: Database,
  input: { challengeData: string; signature: string },
  { secret, rpcUrl }: SolveSettings,
): Promise<{ bearerToken: string }> {
  const challenge = openChallenge(input.challengeData, secret);
  if (!challenge) throw challengeEnded("The challenge was not issued by this service or was modified.");
  const [clock] = await db.sql`select 1 as fresh where now() < ${toInstant(challenge)}::timestamptz`;
  if (!clock) throw challengeEnded("The challenge has expired.");
  const message = challengeMessage(challenge);
  if (!(await isSignedBy(challenge.operatorAddress, message, input.signature, rpcUrl)))
    throw invalidSignature();
  const bearerToken = makeToken("operator");
  const { spent, made } = await storeToken(db, challenge, bearerToken);
  if (!spent) throw challengeEnded("The challenge has expired or was already used.");
  if (!made) throw invalidSignature();
  return { bearerToken };
}

/**
 * Spends the challenge, then stores the token if the signer is the contract's operator. These are separate statements: on
 * Citus a combined one would need every worker, and one that is down would lock out everyone. If the contract gets a new
 * operator in between, the token is refused when it is used.
 */
async function storeToken(db: Database, challenge: Challenge, bearerToken: string) {
  const contract = addressToBytes(challenge.contractAddress);
  const operator = addressToBytes(challenge.operatorAddress);
  const [named] = await db.sql`
    select 1 as found from contracts where address = ${contract}::bytea and operator_address = ${operator}::bytea`;
  const [spent] = await db.sql`
    insert into spent_challenges (nonce, expires_at)
    select ${challenge.nonce}, ${toInstant(challenge)}::timestamptz where now() < ${toInstant(challenge)}::timestamptz
    on conflict (nonce) do nothing returning 1 as spent`;
  if (!spent || !named) return { spent: spent !== undefined, made: false };
  const hash = hashToken(bearerToken);
  await db.sql`
    insert into operator_tokens (contract_address, token_hash, operator_address, expires_at)
    values (${contract}::bytea, ${hash}::bytea, ${operator}::bytea,
      now() + ${OPERATOR_TOKEN_SECONDS}::int * interval '1 second')`;
  tokenIsValid(db, hash.toString("hex"));
  return { spent: true, made: true };
}

const toInstant = (challenge: Challenge) => new Date(expiresAtMs(challenge)).toISOString();

const CHALLENGE_HEADER = {
  "WWW-Authenticate": 'Bearer realm="point-transfer-batches", error="invalid_token"',
};
const challengeEnded = (detail: string) =>
  new DomainError("challenge_expired", detail, { headers: CHALLENGE_HEADER });
const invalidSignature = () =>
  new DomainError("invalid_signature", "The signature does not match the contract's operator.", {
    headers: CHALLENGE_HEADER,
  });
