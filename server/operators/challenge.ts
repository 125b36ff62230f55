import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import type { Database } from "@/db/client";
import { INVALID_TOKEN } from "@/server/auth/authorize-contract";
import { tokenIsValid } from "@/server/auth/limits";
import { hashToken, makeToken } from "@/server/auth/tokens";
import { addressFromBytes, addressToBytes } from "@/server/kernel/address-bytes";
import { contractNotFound } from "@/server/ledger/accounts";
import { addressKey } from "@/terms/address-text";
import { DomainError } from "@/terms/problems";
import { loadSignatureCheck, signerOf } from "./verify-signature";

/** Left out of the seal, as by versions without the setting: during an upgrade they also solve challenges. */
const USUAL_SECONDS = 60;

const Challenge = z.strictObject({
  contractAddress: z.string(),
  operatorAddress: z.string(),
  /** The service's own, never from a request. Wallets warn when a different site asks for the signature. */
  origin: z.string(),
  chainId: z.number(),
  nonce: z.string(),
  /** Milliseconds since 1970, by the database's clock. */
  issuedAtMs: z.number(),
  /** Sealed, so that one issued before `CHALLENGE_SECONDS` was changed keeps its message. */
  seconds: z.number().default(USUAL_SECONDS),
});
export type Challenge = z.output<typeof Challenge>;

/** 128 random bits in characters that ERC-4361 allows. */
export const makeNonce = () => randomBytes(16).toString("hex");

/** A challenge is its fields and a MAC. Nothing is stored, so that requests cannot fill the database. */
export function sealChallenge(challenge: Challenge, secret: string): string {
  const { seconds, ...rest } = challenge;
  const sealed = seconds === USUAL_SECONDS ? rest : challenge;
  const fields = Buffer.from(JSON.stringify(sealed)).toString("base64url");
  return `${fields}.${mac(fields, secret).toString("base64url")}`;
}

/** The challenge, or null if it was not sealed with this secret. */
export function openChallenge(challengeData: string, secret: string): Challenge | null {
  const [fields = "", given = "", ...more] = challengeData.split(".");
  const expected = mac(fields, secret);
  const seal = Buffer.from(given, "base64url");
  if (more.length > 0 || seal.length !== expected.length || !timingSafeEqual(seal, expected)) return null;
  return Challenge.parse(JSON.parse(Buffer.from(fields, "base64url").toString()));
}

export const expiresAtMs = (challenge: Challenge) => challenge.issuedAtMs + challenge.seconds * 1000;

/** ERC-4361, which wallets can display. The available library rejects IPv6 hosts and hosts without a dot. */
export const challengeMessage = (challenge: Challenge): string =>
  [
    `${new URL(challenge.origin).host} wants you to sign in with your Ethereum account:`,
    challenge.operatorAddress,
    "",
    `Sign in as the operator of the contract ${challenge.contractAddress}. ` +
      "This costs nothing and moves no points.",
    "",
    `URI: ${challenge.origin}`,
    "Version: 1",
    `Chain ID: ${challenge.chainId}`,
    `Nonce: ${challenge.nonce}`,
    `Issued At: ${new Date(challenge.issuedAtMs).toISOString()}`,
    `Expiration Time: ${new Date(expiresAtMs(challenge)).toISOString()}`,
  ].join("\n");

const mac = (fields: string, secret: string): Buffer =>
  createHmac("sha256", secret).update(`operator-challenge\n${fields}`).digest();

export type ChallengeSettings = { origin: string; chainId: number; seconds: number; secret: string };

/** Does not reveal whether the address may act for the contract. @throws DomainError `contract_not_found` */
export async function startChallenge(
  db: Database,
  input: { contractAddress: string; operatorAddress: string },
  { origin, chainId, seconds, secret }: ChallengeSettings,
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
    seconds,
  };
  return { challengeData: sealChallenge(challenge, secret), message: challengeMessage(challenge) };
}

/** Lifetime of an operator's token (docs/api.md, "Operators: sign in with a wallet"). */
export const OPERATOR_TOKEN_SECONDS = 3600;

export interface SolveSettings {
  /** The current one and the one before it, since a challenge may be solved after a rotation. */
  secrets: readonly string[];
  rpcUrl: string | undefined;
}

/** @throws DomainError `challenge_expired`, `contract_not_found`, `invalid_signature`, `not_operator`, … */
export async function solveChallenge(
  db: Database,
  input: { challengeData: string; signature: string },
  { secrets, rpcUrl }: SolveSettings,
): Promise<{ bearerToken: string }> {
  const opened = secrets.map((secret) => openChallenge(input.challengeData, secret));
  const challenge = opened.find((one) => one !== null);
  if (!challenge) throw challengeExpired("The challenge was not issued by this service or was modified.");
  const [clock] = await db.sql`select 1 as fresh where now() < ${toInstant(challenge)}::timestamptz`;
  if (!clock) throw challengeExpired("The challenge has expired.");
  await requireOperatorsSignature(db, challenge, input.signature, rpcUrl);
  const bearerToken = makeToken("operator");
  if (!(await storeToken(db, challenge, bearerToken)))
    throw challengeExpired("The challenge has expired or was already used.");
  return { bearerToken };
}

/** The operator must have requested the challenge and signed it. Refusals name the signer, the caller. */
async function requireOperatorsSignature(
  db: Database,
  challenge: Challenge,
  signature: string,
  rpcUrl: string | undefined,
): Promise<void> {
  const { contractAddress, operatorAddress } = challenge;
  const [contract] = await db.sql<{ operator: Buffer | null }[]>`
    select operator_address as operator from contracts
    where address = ${addressToBytes(contractAddress)}::bytea`;
  if (!contract) throw contractNotFound(contractAddress);
  const found = await signerOf(operatorAddress, challengeMessage(challenge), signature, rpcUrl);
  if ("whyNone" in found) throw invalidSignature(`The signature ${found.whyNone}.`);
  const { signer, orElse } = found;
  if (!contract.operator?.equals(addressToBytes(signer)))
    throw new DomainError(
      "not_operator",
      `The signature is by ${signer}, which is not the operator of the contract ${contractAddress}. ` +
        "If you do not know that address, the message was changed before it was signed" +
        `${orElse === undefined ? "" : `, or ${orElse}`}.`,
      { extra: { signer } },
    );
  if (addressKey(signer) !== addressKey(operatorAddress))
    throw invalidSignature(
      `The challenge was requested for ${operatorAddress}, but ${signer} signed it. ` +
        "Request a challenge for the signer.",
    );
}

/**
 * Spends the challenge, then stores the token. These are separate statements: on Citus a combined one would
 * need every worker, and one that is down would lock out everyone. If the contract gets a new operator in
 * between, the token is refused when it is used.
 * @returns false if the challenge has expired or was spent before
 */
async function storeToken(db: Database, challenge: Challenge, bearerToken: string): Promise<boolean> {
  const expiresAt = toInstant(challenge);
  const [spent] = await db.sql`
    insert into spent_challenges (nonce, expires_at)
    select ${challenge.nonce}, ${expiresAt}::timestamptz where now() < ${expiresAt}::timestamptz
    on conflict (nonce) do nothing returning 1 as spent`;
  if (!spent) return false;
  const hash = hashToken(bearerToken);
  await db.sql`
    insert into operator_tokens (contract_address, token_hash, operator_address, expires_at)
    values (${addressToBytes(challenge.contractAddress)}::bytea, ${hash}::bytea,
      ${addressToBytes(challenge.operatorAddress)}::bytea,
      now() + ${OPERATOR_TOKEN_SECONDS}::int * interval '1 second')`;
  tokenIsValid(db, hash.toString("hex"));
  return true;
}

const toInstant = (challenge: Challenge) => new Date(expiresAtMs(challenge)).toISOString();

const challengeExpired = (detail: string) =>
  new DomainError("challenge_expired", detail, { headers: INVALID_TOKEN });
const invalidSignature = (detail: string) =>
  new DomainError("invalid_signature", detail, { headers: INVALID_TOKEN });
