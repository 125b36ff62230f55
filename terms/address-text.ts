import { keccak256 } from "js-sha3";

/** An address in lower case with `0x`, for comparisons and keys. */
export type AddressKey = `0x${string}`;

export const ZERO_ADDRESS: AddressKey = `0x${"0".repeat(40)}`;

/** A page of batches repeats its contract's address: a seventh of "list, first page" (docs/benchmarks.md). */
const checksummed = new Map<string, string>();
const CHECKSUMMED_MAX = 20_000;

const UPPER_A = 65;
const LOWER_A = 97;

const ADDRESS_LENGTH = 42;
const IN_LOWER_CASE = 1;
const IN_UPPER_CASE = 2;
const NOT_HEX = 4;
/** The letter case of each ASCII character as a hex digit. Decimal digits have none. */
const CASE_OF = new Uint8Array(128).fill(NOT_HEX);
for (const [digits, bit] of [
  ["0123456789", 0],
  ["abcdef", IN_LOWER_CASE],
  ["ABCDEF", IN_UPPER_CASE],
] as const)
  for (const digit of digits) CASE_OF[digit.charCodeAt(0)] = bit;

/** The EIP-55 form of 40 lowercase hex digits. */
export function checksumAddress(lowerHex: string): string {
  const known = checksummed.get(lowerHex);
  if (known) return known;
  const hash = keccak256.array(lowerHex);
  let out = "0x";
  for (let i = 0; i < 40; i++) {
    const nibble = i % 2 === 0 ? hash[i >> 1]! >> 4 : hash[i >> 1]! & 15;
    out += nibble >= 8 ? lowerHex[i]!.toUpperCase() : lowerHex[i];
  }
  if (checksummed.size >= CHECKSUMMED_MAX) checksummed.clear();
  checksummed.set(lowerHex, out);
  return out;
}

type AddressProblem = "invalid_address" | "invalid_checksum";

/** Chains whose wallets write capitals by EIP-1191 instead of EIP-55. */
const OTHER_CHECKSUMS = [
  [30, "Rootstock"],
  [31, "Rootstock Testnet"],
] as const;

/** What is wrong with an address, for its sender. */
export function addressDetail(value: string, error: AddressProblem): string {
  if (error === "invalid_address") return "must be 0x followed by 40 hex digits";
  const other = otherChecksum(value);
  return other
    ? `fails its EIP-55 checksum, but fits that of ${other} (EIP-1191); ` +
        "send it in lower case if it is the right address here"
    : "fails its EIP-55 checksum; check it, or send it in lower case";
}

/** The chain whose EIP-1191 checksum a mixed-case address fits; null if none. */
export function otherChecksum(value: string): string | null {
  const fits = ([chain]: readonly [number, string]) =>
    fitsHash(value, keccak256.array(`${chain}${value.toLowerCase()}`));
  return OTHER_CHECKSUMS.find(fits)?.[1] ?? null;
}

/** The error code of an invalid address, or null. A mixed-case address must match its EIP-55 checksum. */
export function addressError(value: string): AddressProblem | null {
  if (value.length !== ADDRESS_LENGTH || !value.startsWith("0x")) return "invalid_address";
  // Takes half the time of regular expressions. Needed by "submit 2000 at 16, lower" in docs/benchmarks.md.
  let cases = 0;
  for (let at = 2; at < ADDRESS_LENGTH; at++) cases |= CASE_OF[value.charCodeAt(at)] ?? NOT_HEX;
  if (cases & NOT_HEX) return "invalid_address";
  const isMixed = cases === (IN_LOWER_CASE | IN_UPPER_CASE);
  return isMixed && !fitsChecksum(value) ? "invalid_checksum" : null;
}

type Hash = (bytes: Uint8Array) => ArrayLike<number>;
let hash: Hash = (bytes) => keccak256.array(bytes);

/** Replaces Keccak-256 in JavaScript with a faster one: `compileKeccak`. */
export function hashAddressesWith(faster: Hash): void {
  hash = faster;
}

/** The digits of the address being checked, since bytes are faster to hash than a string. */
const digits = new Uint8Array(ADDRESS_LENGTH - 2);

/** Compares letter by letter: a batch of 2,000 is checked without building 2,000 checksummed strings. */
function fitsChecksum(value: string): boolean {
  const lower = value.toLowerCase();
  for (let at = 0; at < digits.length; at++) digits[at] = lower.charCodeAt(at + 2);
  return fitsHash(value, hash(digits));
}

function fitsHash(value: string, hashed: ArrayLike<number>): boolean {
  for (let at = 0; at < ADDRESS_LENGTH - 2; at++) {
    const code = value.charCodeAt(at + 2);
    const nibble = at % 2 === 0 ? hashed[at >> 1]! >> 4 : hashed[at >> 1]! & 15;
    if (code >= UPPER_A && code < LOWER_A !== nibble >= 8) return false;
  }
  return true;
}

export const addressKey = (value: string): AddressKey => value.toLowerCase() as AddressKey;
