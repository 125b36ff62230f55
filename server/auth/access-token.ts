import { createHash, randomInt } from "node:crypto";

export const TOKEN_SCOPES = ["batches:read", "batches:write"] as const;
export type TokenScope = (typeof TOKEN_SCOPES)[number];

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const BODY_LENGTH = 30;
const CHECK_LENGTH = 6;
const FORMAT = /^ptb_([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/;

/** A new access token: `ptb_`, 30 random base62 characters (178 bits), a 6-character checksum that tells slips of copying. */
export function makeAccessToken(): string {
  const body = Array.from({ length: BODY_LENGTH }, () => ALPHABET[randomInt(62)]).join("");
  return `ptb_${body}${checksum(body)}`;
}

/** Whether a string has the form and checksum of an access token; says nothing of whether it is known. */
export function isAccessToken(token: string): boolean {
  const parts = FORMAT.exec(token);
  return parts !== null && checksum(parts[1]!) === parts[2];
}

/** What is stored of a token. */
export function hashToken(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

function checksum(body: string): string {
  let rest = createHash("sha256").update(`ptb_${body}`).digest().readUIntBE(0, 6);
  let out = "";
  for (let i = 0; i < CHECK_LENGTH; i++) {
    out += ALPHABET[rest % 62];
    rest = Math.floor(rest / 62);
  }
  return out;
}
