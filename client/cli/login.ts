import { createDecipheriv, pbkdf2Sync, scryptSync, timingSafeEqual } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Command } from "commander";
import { keccak256 } from "js-sha3";
import { privateKeyToAccount } from "viem/accounts";
import { createClient } from "../src/create-client.ts";
import { contractOf, optionsOf, storeLogin, urlOf } from "./service.ts";
import { EXIT, Failure, print, timeText } from "./terminal.ts";

const KEY = /^(?:0x)?[0-9a-f]{64}$/i;

/** Signing in as the contract's operator. The key never leaves this process. */
export function addLoginCommand(program: Command, signal: AbortSignal): void {
  program
    .command("login")
    .description("Sign in as the contract's operator, and store the one-hour token.")
    .option("--keystore <file>", "encrypted key (Web3 Secret Storage, version 3)")
    .option("--print", "print the token, and store nothing")
    .addHelpText(
      "after",
      `
The keystore's password is read from POINT_BATCHES_KEYSTORE_PASSWORD. Without a keystore, the private key is read from
POINT_BATCHES_OPERATOR_KEY. The token is stored in ~/.config/point-batches, readable only by you.

Examples:
  read -rs POINT_BATCHES_KEYSTORE_PASSWORD && export POINT_BATCHES_KEYSTORE_PASSWORD
  point-batches login --keystore operator.json
  export POINT_BATCHES_TOKEN=$(point-batches login --print)`,
    )
    .action(async (_: object, command: Command) => {
      const options = optionsOf<{ keystore?: string; print?: boolean }>(command);
      const [baseUrl, contractAddress] = [urlOf(options), contractOf(options)];
      const account = privateKeyToAccount(readKey(options.keystore));
      const session = await createClient({ baseUrl, contractAddress, totalTimeoutMs: 20_000 }).signIn({
        operatorAddress: account.address,
        signMessage: (message) => account.signMessage({ message }),
        signal,
      });
      const { token, expiresAt } = session;
      const until = new Date(expiresAt).toISOString();
      const about = { success: true, operatorAddress: account.address, expiresAt: until };
      if (options.print) return print(options.json, { ...about, token }, () => token);
      const storedIn = storeLogin(baseUrl, contractAddress, session);
      print(options.json, { ...about, storedIn }, () =>
        [`Signed in as ${account.address} until ${timeText(until)}.`, `The token is in ${storedIn}.`].join(
          "\n",
        ),
      );
    });
}

function readKey(keystore: string | undefined): `0x${string}` {
  const given = process.env.POINT_BATCHES_OPERATOR_KEY?.trim() ?? "";
  if (keystore !== undefined) {
    const store = readKeystore(keystore);
    const password = process.env.POINT_BATCHES_KEYSTORE_PASSWORD;
    if (password === undefined)
      throw new Failure(EXIT.usage, `Set POINT_BATCHES_KEYSTORE_PASSWORD to the password of ${keystore}.`);
    return `0x${decryptKeystore(store, password)}`;
  }
  if (!given)
    throw new Failure(EXIT.usage, "Which key? Add --keystore FILE, or set POINT_BATCHES_OPERATOR_KEY.");
  if (!KEY.test(given))
    throw new Failure(EXIT.usage, "POINT_BATCHES_OPERATOR_KEY is not a private key of 64 hex digits.");
  return `0x${given.replace(/^0x/i, "")}`;
}

/** Of Web3 Secret Storage, as Geth, Foundry and most wallets write it. */
interface Keystore {
  version: number;
  crypto: {
    cipher: string;
    ciphertext: string;
    cipherparams: { iv: string };
    kdf: string;
    kdfparams: { dklen: number; salt: string; n?: number; r?: number; p?: number; c?: number };
    mac: string;
  };
}

function readKeystore(path: string): Keystore {
  let store: (Keystore & { Crypto?: Keystore["crypto"] }) | undefined;
  try {
    store = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why = code === "ENOENT" ? `No such file: ${path}` : `${path} is not a keystore: it has no JSON.`;
    throw new Failure(EXIT.badInput, why);
  }
  const crypto = store?.crypto ?? store?.Crypto;
  if (store?.version === 3 && crypto?.cipher === "aes-128-ctr") return { version: 3, crypto };
  throw new Failure(EXIT.badInput, `${path} is not a keystore of version 3 with aes-128-ctr.`);
}

/** Scrypt of Geth's own parameters needs 256 MiB. */
const SCRYPT_BYTES_MAX = 1024 ** 3;

/** @returns the key as hex digits @throws Failure for a wrong password or a damaged file */
export function decryptKeystore({ crypto }: Keystore, password: string): string {
  try {
    const { kdf, kdfparams, ciphertext, cipherparams, mac } = crypto;
    const { dklen, n, r, p, c } = kdfparams;
    const salt = Buffer.from(kdfparams.salt, "hex");
    const derived =
      kdf === "scrypt"
        ? scryptSync(password, salt, dklen, { N: n, r, p, maxmem: SCRYPT_BYTES_MAX })
        : pbkdf2Sync(password, salt, c ?? 0, dklen, "sha256");
    const encrypted = Buffer.from(ciphertext, "hex");
    const found = Buffer.from(keccak256.array(Buffer.concat([derived.subarray(16, 32), encrypted])));
    const expected = Buffer.from(mac, "hex");
    if (expected.length !== found.length || !timingSafeEqual(expected, found))
      throw new Failure(EXIT.badInput, "The keystore's password is wrong.");
    const iv = Buffer.from(cipherparams.iv, "hex");
    const decipher = createDecipheriv("aes-128-ctr", derived.subarray(0, 16), iv);
    return Buffer.concat([decipher.update(encrypted), decipher.final()]).toString("hex");
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(EXIT.badInput, `The keystore is damaged: ${(error as Error).message}`);
  }
}
