import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { z } from "zod";

/** Lifetime of a challenge (docs/api.md, "Operators: sign in with a wallet"). */
export const CHALLENGE_SECONDS = 60;

const Challenge = z.strictObject({
  contractAddress: z.string(),
  operatorAddress: z.string(),
  /** The service's own origin, never taken from a request. Wallets warn when a different site asks for the signature. */
  origin: z.string(),
  chainId: z.number(),
  nonce: z.string(),
  /** Milliseconds since 1970, by the database's clock. */
  issuedAtMs: z.number(),
});
export type Challenge = z.output<typeof Challenge>;

/** 128 random bits in characters that ERC-4361 allows. */
export const makeNonce = () => randomBytes(16).toString("hex");

/**
 * The challenge for the caller: its fields and a MAC over them. Nothing is stored for unauthenticated callers, so that
 * requests cannot fill the database.
 */
export function sealChallenge(challenge: Challenge, secret: string): string {
  const fields = Buffer.from(JSON.stringify(challenge)).toString("base64url");
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

export const expiresAtMs = (challenge: Challenge) => challenge.issuedAtMs + CHALLENGE_SECONDS * 1000;

/**
 * The message that the operator signs, in the ERC-4361 format ("Sign-In with Ethereum") that wallets can display. No
 * library is used, since the available one rejects IPv6 hosts and hosts without a dot.
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
