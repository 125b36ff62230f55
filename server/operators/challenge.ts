import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { z } from "zod";

/** How long a challenge may be solved (docs/api.md, "Operators: sign in with a wallet"). */
export const CHALLENGE_SECONDS = 60;

const Challenge = z.strictObject({
  contractAddress: z.string(),
  operatorAddress: z.string(),
  /** The service's own address, never one that a request names: wallets warn when another site asks for the signature. */
  origin: z.string(),
  chainId: z.number(),
  nonce: z.string(),
  /** Milliseconds since 1970, by the database's clock. */
  issuedAtMs: z.number(),
});
export type Challenge = z.output<typeof Challenge>;

/** 128 random bits in the letters and digits that ERC-4361 allows. */
export const makeNonce = () => randomBytes(16).toString("hex");

/**
 * The challenge as the caller carries it: its fields and a MAC over them. Nothing is stored for who proved nothing, so
 * that asking cannot fill the database.
 */
export function sealChallenge(challenge: Challenge, secret: string): string {
  const fields = Buffer.from(JSON.stringify(challenge)).toString("base64url");
  return `${fields}.${mac(fields, secret).toString("base64url")}`;
}

/** The challenge of a seal that was made here with this secret, or null. */
export function openChallenge(challengeData: string, secret: string): Challenge | null {
  const [fields = "", given = "", ...more] = challengeData.split(".");
  const expected = mac(fields, secret);
  const seal = Buffer.from(given, "base64url");
  if (more.length > 0 || seal.length !== expected.length || !timingSafeEqual(seal, expected)) return null;
  return Challenge.parse(JSON.parse(Buffer.from(fields, "base64url").toString()));
}

export const expiresAtMs = (challenge: Challenge) => challenge.issuedAtMs + CHALLENGE_SECONDS * 1000;

/**
 * What the operator signs, in the form of ERC-4361 ("Sign-In with Ethereum"), which wallets know how to show. Not by a
 * library: the one at hand refuses hosts without a dot and IPv6 ones.
 */
export function challengeMessage(challenge: Challenge): string {
  return [
    `${new URL(challenge.origin).host} wants you to sign in with your Ethereum account:`,
    challenge.operatorAddress,
    "",
    `Sign in as the operator of the contract ${challenge.contractAddress}. This costs nothing and moves no points.`,
    "",
    `URI: ${challenge.origin}`,
    "Version: 1",
    `Chain ID: ${challenge.chainId}`,
    `Nonce: ${challenge.nonce}`,
    `Issued At: ${new Date(challenge.issuedAtMs).toISOString()}`,
    `Expiration Time: ${new Date(expiresAtMs(challenge)).toISOString()}`,
  ].join("\n");
}

function mac(fields: string, secret: string): Buffer {
  return createHmac("sha256", secret).update(`operator-challenge\n${fields}`).digest();
}
