import type { Database } from "@/db/client";
import { hashToken, makeToken } from "../auth/access-token";
import { addressToBytes } from "../ledger/addresses";
import { DomainError } from "../problems";
import { type Challenge, challengeMessage, expiresAtMs, openChallenge } from "./challenge";
import { isSignedBy } from "./verify-signature";

/** How long an operator's token lives (docs/api.md, "Operators: sign in with a wallet"). */
export const OPERATOR_TOKEN_SECONDS = 3600;

export interface SolveSettings {
  secret: string;
  rpcUrl: string | undefined;
}

/**
 * Gives a token for the signature of a challenge. Whether a contract exists, or who its operator is, is told to nobody
 * who cannot sign as that operator: both faults read as a wrong signature.
 * @throws DomainError `challenge_expired`, `invalid_signature`, `unavailable`
 */
export async function solveChallenge(
  db: Database,
  input: { challengeData: string; signature: string },
  { secret, rpcUrl }: SolveSettings,
): Promise<{ bearerToken: string }> {
  const challenge = openChallenge(input.challengeData, secret);
  if (!challenge) throw challengeEnded("The challenge was not made here, or was changed on its way.");
  const [clock] = await db.sql`select 1 as fresh where now() < ${toInstant(challenge)}::timestamptz`;
  if (!clock) throw challengeEnded("The challenge expired.");
  const message = challengeMessage(challenge);
  if (!(await isSignedBy(challenge.operatorAddress, message, input.signature, rpcUrl)))
    throw invalidSignature();
  const bearerToken = makeToken("operator");
  const { spent, made } = await storeToken(db, challenge, bearerToken);
  if (!spent) throw challengeEnded("The challenge was used before, or expired meanwhile.");
  if (!made) throw invalidSignature();
  return { bearerToken };
}

/** Spends the challenge and, when its signer is the contract's operator now, stores the token: one statement. */
async function storeToken(db: Database, challenge: Challenge, bearerToken: string) {
  const [row] = await db.sql<{ spent: boolean; made: boolean }[]>`
    with spent as (
      insert into spent_challenges (nonce, expires_at)
      select ${challenge.nonce}, ${toInstant(challenge)}::timestamptz where now() < ${toInstant(challenge)}::timestamptz
      on conflict (nonce) do nothing returning 1
    ), made as (
      insert into operator_tokens (contract_address, token_hash, operator_address, expires_at)
      select c.address, ${hashToken(bearerToken)}::bytea, c.operator_address,
        now() + ${OPERATOR_TOKEN_SECONDS}::int * interval '1 second'
      from contracts c, spent
      where c.address = ${addressToBytes(challenge.contractAddress)}::bytea
        and c.operator_address = ${addressToBytes(challenge.operatorAddress)}::bytea
      returning 1
    )
    select exists (select 1 from spent) as spent, exists (select 1 from made) as made`;
  return row!;
}

const toInstant = (challenge: Challenge) => new Date(expiresAtMs(challenge)).toISOString();

const CHALLENGE_HEADER = {
  "WWW-Authenticate": 'Bearer realm="point-transfer-batches", error="invalid_token"',
};
const challengeEnded = (detail: string) =>
  new DomainError("challenge_expired", detail, { headers: CHALLENGE_HEADER });
const invalidSignature = () =>
  new DomainError("invalid_signature", "The message was not signed by the operator of the contract.", {
    headers: CHALLENGE_HEADER,
  });
