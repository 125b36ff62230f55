import { createHash, randomInt } from "node:crypto";

export const TOKEN_SCOPES = ["batches:read", "batches:write", "batches:reverse"] as const;
export type TokenScope = (typeof TOKEN_SCOPES)[number];
/** What a token may do by default. Taking points back must be chosen. */
export const DEFAULT_SCOPES = ["batches:read", "batches:write"] as const satisfies readonly TokenScope[];

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const BODY_LENGTH = 30;
const CHECK_LENGTH = 6;
const FORMAT = /^(ptb|pto)_([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/;

/** `access`: created by staff for a contract. `operator`: issued for the signature of a contract's operator. */
export type TokenKind = "access" | "operator";
const PREFIXES = { access: "ptb", operator: "pto" } as const satisfies Record<TokenKind, string>;

/** A new token: prefix, 30 random base62 characters (178 bits), and a 6-character checksum that detects copying errors. */
export function makeToken(kind: TokenKind): string {
  const prefix = PREFIXES[kind];
  const body = Array.from({ length: BODY_LENGTH }, () => ALPHABET[randomInt(62)]).join("");
  return `${prefix}_${body}${checksum(prefix, body)}`;
}

/** The kind of a well-formed token with a correct checksum, or null. Does not check whether the token exists. */
export function tokenKind(token: string): TokenKind | null {
  const [, prefix = "", body = "", check] = FORMAT.exec(token) ?? [];
  if (checksum(prefix, body) !== check) return null;
  return prefix === PREFIXES.operator ? "operator" : "access";
}

/** Only the hash of a token is stored. */
export function hashToken(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

const END_LENGTH = 4;

/** The last characters are stored to identify a token. They are part of the checksum and reveal nothing. */
export const tokenSuffix = (token: string): string => token.slice(-END_LENGTH);

function checksum(prefix: string, body: string): string {
  let rest = createHash("sha256").update(`${prefix}_${body}`).digest().readUIntBE(0, 6);
  let out = "";
  for (let i = 0; i < CHECK_LENGTH; i++) {
    out += ALPHABET[rest % 62];
    rest = Math.floor(rest / 62);
  }
  return out;
}
