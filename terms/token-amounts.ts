/** Decimal places that a token may have here. */
export const TOKEN_DECIMALS_MAX = 36;
/** 2^256: an amount of a token is below it. */
export const UNITS_END = 1n << 256n;

/** Whole digits, and decimals after a point. No sign, exponent, spaces or grouping. */
export const TOKENS_PATTERN = /^(?:0|[1-9][0-9]{0,77})(?:\.[0-9]{1,36})?$/;
export const UNITS_PATTERN = /^(?:0|[1-9][0-9]{0,77})$/;

/** Tokens as base units. Null if it is no decimal string, has too many decimals or is 2^256 units or more. */
export function parseTokens(tokens: string, decimals: number): bigint | null {
  const [whole = "", fraction = ""] = tokens.split(".");
  if (!TOKENS_PATTERN.test(tokens) || fraction.length > decimals) return null;
  const units = BigInt(whole + fraction.padEnd(decimals, "0"));
  return units < UNITS_END ? units : null;
}
