import { createDecipheriv, pbkdf2Sync, timingSafeEqual } from "node:crypto";
import { createReadStream } from "node:fs";
import { buffer } from "node:stream/consumers";
import { scrypt } from "hash-wasm";
import { keccak256 } from "js-sha3";
import { cannotRead, EXIT, Failure } from "./terminal.ts";

/** JSON whose names are in lower case. Nothing in it has been checked. */
type Members = Record<string, unknown>;

const FILE_BYTES_MAX = 64 * 1024;
const KEY_BYTES = 32;
const IV_BYTES = 16;
/** 1 GiB. Geth's own parameters need 256 MiB. */
const SCRYPT_BYTES_MAX = 1024 ** 3;
/** Of n · r · p, eight times what Geth's own parameters cost. */
const SCRYPT_COST_MAX = 2 ** 24;
const PBKDF2_ROUNDS_MAX = 10_000_000;

/**
 * Reads Web3 Secret Storage, as Geth, Foundry and most wallets write it.
 * @returns the address in lower case, without `0x`; null when the file has none
 * @throws Failure
 */
export async function readKeystore(path: string) {
  const refuse = (why: string) => new Failure(EXIT.badInput, `${path} is not a keystore${why}`);
  const bytes = await buffer(createReadStream(path, { end: FILE_BYTES_MAX })).catch(cannotRead(path));
  if (bytes.length > FILE_BYTES_MAX) throw refuse(": it is too large.");
  let store: Members;
  try {
    store = JSON.parse(textOf(bytes), (_, value) => lowerCased(value)) ?? {};
  } catch {
    throw refuse(": it has no JSON.");
  }
  const { version, address } = store;
  const crypto = membersOf(store.crypto);
  if (String(version) !== "3" || String(crypto.cipher).toLowerCase() !== "aes-128-ctr")
    throw refuse(" of version 3 with aes-128-ctr.");
  const [, digits] = /^(?:0x|xdc)?([0-9a-f]{40})$/i.exec(String(address)) ?? [];
  return { crypto, address: digits?.toLowerCase() ?? null };
}

/** Windows PowerShell writes UTF-16, and several editors a byte-order mark. */
function textOf(bytes: Buffer): string {
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  return new TextDecoder(isUtf16 ? "utf-16le" : "utf-8").decode(bytes);
}

/** The format has `crypto`; ethers writes `Crypto`, and others `CRYPTO`. */
const lowerCased = (value: unknown) =>
  value instanceof Object && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name.toLowerCase(), one]))
    : value;

const membersOf = (value: unknown) => (value instanceof Object ? value : {}) as Members;

const unreadable = (why: string) => new Failure(EXIT.badInput, `The keystore cannot be read: ${why}.`);

/** Left of a number, programs leave out zeros, so that it has fewer bytes. */
function bytesOf(members: Members, name: string, bytesMax: number): Buffer {
  const digits = String(members[name] ?? "").replace(/^0x/i, "");
  if (!/^[0-9a-f]+$/i.test(digits) || digits.length > 2 * bytesMax)
    throw unreadable(`"${name}" must be hex of at most ${bytesMax} bytes`);
  return Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, "hex");
}

const padded = (bytes: Buffer, length: number) =>
  Buffer.concat([Buffer.alloc(Math.max(0, length - bytes.length)), bytes]);

function wholeOf(members: Members, name: string, least = 1): number {
  const text = String(members[name] ?? "");
  if (/^\d{1,10}$/.test(text) && Number(text) >= least) return Number(text);
  throw unreadable(`"${name}" must be a whole number from ${least}`);
}

/** @returns the key as 64 hex digits @throws Failure for a wrong password or a damaged file */
export async function decryptKeystore({ crypto }: { crypto: Members }, password: string): Promise<string> {
  const encrypted = bytesOf(crypto, "ciphertext", KEY_BYTES);
  const mac = padded(bytesOf(crypto, "mac", 32), 32);
  const iv = padded(bytesOf(membersOf(crypto.cipherparams), "iv", IV_BYTES), IV_BYTES);
  // Ethers normalizes the password; most others take it as it is.
  for (const one of new Set([password, password.normalize("NFKC")])) {
    const derived = await derive(crypto, one);
    // Either the key was short when it was encrypted, or zeros are missing from what was encrypted.
    for (const bytes of [encrypted, padded(encrypted, KEY_BYTES)]) {
      const found = Buffer.from(keccak256.array(Buffer.concat([derived.subarray(16, 32), bytes])));
      if (!timingSafeEqual(mac, found)) continue;
      const decipher = createDecipheriv("aes-128-ctr", derived.subarray(0, 16), iv);
      return padded(Buffer.concat([decipher.update(bytes), decipher.final()]), KEY_BYTES).toString("hex");
    }
  }
  throw new Failure(EXIT.badInput, "The keystore's password is wrong.");
}

async function derive(crypto: Members, password: string): Promise<Buffer> {
  const kdf = String(crypto.kdf).toLowerCase();
  const parameters = membersOf(crypto.kdfparams);
  const salt = bytesOf(parameters, "salt", 1024);
  const hashLength = wholeOf({ dklen: KEY_BYTES, ...parameters }, "dklen", KEY_BYTES);
  const tooMuch = (what: string) =>
    new Failure(EXIT.badInput, `The keystore asks for ${what}, which is too much. Write it again with less.`);
  if (hashLength > 1024) throw tooMuch(`a derived key of ${hashLength} bytes`);
  if (kdf === "scrypt") {
    const [n, r, p] = [wholeOf(parameters, "n", 2), wholeOf(parameters, "r"), wholeOf(parameters, "p")];
    if (!Number.isInteger(Math.log2(n))) throw unreadable('"n" must be a power of 2');
    if (128 * r * (n + p) > SCRYPT_BYTES_MAX || n * r * p > SCRYPT_COST_MAX)
      throw tooMuch(`scrypt with n=${n}, r=${r}, p=${p}`);
    // Not by OpenSSL, which refuses the format's own n=262144 with r=1 by a bound that RFC 7914 took back.
    const options = { password, salt, costFactor: n, blockSize: r, parallelism: p, hashLength };
    return Buffer.from(await scrypt({ ...options, outputType: "binary" }));
  }
  const prf = String(parameters.prf ?? "hmac-sha256").toLowerCase();
  if (kdf !== "pbkdf2" || prf !== "hmac-sha256")
    throw unreadable('"kdf" must be scrypt, or pbkdf2 with hmac-sha256');
  const rounds = wholeOf(parameters, "c");
  if (rounds > PBKDF2_ROUNDS_MAX) throw tooMuch(`pbkdf2 with c=${rounds}`);
  return pbkdf2Sync(password, salt, rounds, hashLength, "sha256");
}
