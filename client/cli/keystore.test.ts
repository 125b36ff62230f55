import { createCipheriv, pbkdf2Sync } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { scrypt } from "hash-wasm";
import { keccak256 } from "js-sha3";
import { afterAll, expect, test } from "vitest";
import { decryptKeystore, readKeystore } from "./keystore.ts";

const folder = mkdtempSync(join(tmpdir(), "keystore-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const KEY = "4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318";
const SALT = "5ee5".repeat(16);
const IV = "ab".repeat(16);

interface Parameters {
  n?: number;
  r?: number;
  p?: number;
  c?: number;
}
interface Store {
  version: unknown;
  id: string;
  crypto: Record<string, unknown> & {
    kdfparams: Record<string, unknown>;
    cipherparams: { iv: string };
    ciphertext: string;
    mac: string;
  };
}

/** As the format says. */
async function storeOf(
  password: string,
  { key = KEY, iv = IV, c, n = 1024, r = 8, p = 1 }: Parameters & { key?: string; iv?: string } = {},
): Promise<Store> {
  const salt = Buffer.from(SALT, "hex");
  const options = { password, salt, costFactor: n, blockSize: r, parallelism: p, hashLength: 32 };
  const derived = c
    ? pbkdf2Sync(password, salt, c, 32, "sha256")
    : Buffer.from(await scrypt({ ...options, outputType: "binary" }));
  const cipher = createCipheriv("aes-128-ctr", derived.subarray(0, 16), Buffer.from(iv, "hex"));
  const encrypted = Buffer.concat([cipher.update(Buffer.from(key, "hex")), cipher.final()]);
  const kdf = c ? "pbkdf2" : "scrypt";
  const crypto = {
    cipher: "aes-128-ctr",
    ciphertext: encrypted.toString("hex"),
    cipherparams: { iv },
    kdf,
    kdfparams: { dklen: 32, salt: SALT, ...(c ? { c, prf: "hmac-sha256" } : { n, r, p }) },
    mac: keccak256(Buffer.concat([derived.subarray(16, 32), encrypted])),
  };
  return { version: 3, id: "3198bc9c-6672-5ab3-d995-4942343ae5b6", crypto };
}

async function decrypt(content: object | string | Buffer, password = "secret"): Promise<string> {
  const path = join(folder, "key.json");
  writeFileSync(
    path,
    typeof content === "string" || content instanceof Buffer ? content : JSON.stringify(content),
  );
  return decryptKeystore(await readKeystore(path), password);
}

test("the format's own test vectors are decrypted", async () => {
  const scryptVector = {
    cipher: "aes-128-ctr",
    cipherparams: { iv: "83dbcc02d8ccb40e466191a123791e0e" },
    ciphertext: "d172bf743a674da9cdad04534d56926ef8358534d458fffccd4e6ad2fbde479c",
    kdf: "scrypt",
    kdfparams: {
      dklen: 32,
      n: 262_144,
      r: 1,
      p: 8,
      salt: "ab0c7876052600dd703518d6fc3fe8984592145b591fc8fb5c6d43190334ba19",
    },
    mac: "2103ac29920d71da29f15d75b4a16dbe95cfd7ff8faea1056c33131d846e3097",
  };
  const pbkdf2Vector = {
    cipher: "aes-128-ctr",
    cipherparams: { iv: "6087dab2f9fdbbfaddc31a909735c1e6" },
    ciphertext: "5318b4d5bcd28de64ee5559e671353e16f075ecae9f99c7a79a38af5f869aa46",
    kdf: "pbkdf2",
    kdfparams: {
      c: 262_144,
      dklen: 32,
      prf: "hmac-sha256",
      salt: "ae3cd4e7013836a3df6bd7241b12db061dbe2c6785853cce422d148a624ce0bd",
    },
    mac: "517ead924a9d0dc3124507e3393d175ce3ff7c1e96529c6c555ce9e51205e9b2",
  };
  const key = "7a28b5ba57c53603b0b07b56bba752f7784bf506fa95edc395f5cf6c7514fe9d";
  for (const crypto of [scryptVector, pbkdf2Vector])
    expect(await decrypt({ version: 3, crypto }, "testpassword")).toBe(key);
});

const lowerBytes = (digits: string, zeros: number) => `${"00".repeat(zeros)}${digits.slice(2 * zeros)}`;
const change = (store: Store, crypto: object): Store => ({
  ...store,
  crypto: { ...store.crypto, ...crypto },
});
const upperCased = (value: unknown): unknown =>
  value instanceof Object
    ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name.toUpperCase(), upperCased(one)]))
    : value;

/** Of a key for which `member` begins with a zero byte. */
async function storeWithout(member: "ciphertext" | "mac"): Promise<[store: Store, key: string]> {
  for (let number = 1; ; number++) {
    const key = keccak256(String(number));
    const store = await storeOf("secret", { key, c: 1 });
    if (store.crypto[member].startsWith("00")) return [store, key];
  }
}

test("what other programs write is decrypted", async () => {
  const store = await storeOf("secret");
  const { crypto, ...others } = store;
  const json = JSON.stringify(store);
  const forms: [name: string, content: object | string | Buffer][] = [
    ["n and r that OpenSSL refuses", await storeOf("secret", { n: 65_536, r: 1 })],
    ["pbkdf2", await storeOf("secret", { c: 1000 })],
    ["Crypto", { ...others, Crypto: crypto }],
    ["all names in capitals", upperCased(store) as object],
    ["the version as a text", { ...store, version: "3" }],
    ["numbers as texts", change(store, { kdfparams: { ...crypto.kdfparams, n: "1024", r: "8", p: "1" } })],
    [
      "values in capitals",
      change(store, { cipher: "AES-128-CTR", kdf: "Scrypt", mac: crypto.mac.toUpperCase() }),
    ],
    ["0x before hex", change(store, { mac: `0x${crypto.mac}`, cipherparams: { iv: `0x${IV}` } })],
    ["a byte-order mark", `\uFEFF${json}`],
    ["UTF-16", Buffer.from(`\uFEFF${json}`, "utf16le")],
  ];
  for (const [name, content] of forms) expect(await decrypt(content), name).toBe(KEY);
});

test("a vector, a key, a ciphertext or a MAC that lost its leading zeros is padded", async () => {
  for (const zeros of [1, 2, 15]) {
    const store = await storeOf("secret", { iv: lowerBytes(IV, zeros) });
    const iv = IV.slice(2 * zeros);
    expect(await decrypt(change(store, { cipherparams: { iv } }))).toBe(KEY);
  }
  const odd = await storeOf("secret", { iv: `0${IV.slice(1)}` });
  expect(await decrypt(change(odd, { cipherparams: { iv: IV.slice(1) } }))).toBe(KEY);
  for (const zeros of [1, 31]) {
    const key = KEY.slice(2 * zeros);
    expect(await decrypt(await storeOf("secret", { key }))).toBe(lowerBytes(KEY, zeros));
  }
  for (const member of ["ciphertext", "mac"] as const) {
    const [store, key] = await storeWithout(member);
    for (const short of [
      store.crypto[member].replace(/^(?:00)+/, ""),
      store.crypto[member].replace(/^0+/, ""),
    ])
      expect(await decrypt(change(store, { [member]: short }))).toBe(key);
  }
});

test("a password is the right one as it is typed or normalized", async () => {
  const typed = "nº 5 ﬁve Ⅻ";
  for (const used of [typed, typed.normalize("NFKC")])
    expect(await decrypt(await storeOf(used), typed)).toBe(KEY);
  await expect(decrypt(await storeOf(typed), "n 5")).rejects.toThrow("The keystore's password is wrong.");
});

test("what cannot be decrypted is refused with the reason", async () => {
  const store = await storeOf("secret");
  const { crypto } = store;
  const kdfparams = (more: object) => change(store, { kdfparams: { ...crypto.kdfparams, ...more } });
  const refused: [content: object | string, reason: string][] = [
    ["", "it has no JSON"],
    ["[".repeat(60_000), "it has no JSON"],
    ["null", "of version 3"],
    ["3", "of version 3"],
    [`"${"x".repeat(70_000)}"`, "it is too large"],
    [{ ...store, version: 4 }, "of version 3"],
    [{ ...store, crypto: null }, "of version 3"],
    [change(store, { cipher: "aes-128-cbc" }), "with aes-128-ctr"],
    [change(store, { cipherparams: null }), '"iv" must be hex'],
    [change(store, { cipherparams: { iv: `${IV}00` } }), '"iv" must be hex of at most 16 bytes'],
    [change(store, { ciphertext: `${crypto.ciphertext}00` }), '"ciphertext" must be hex of at most 32 bytes'],
    [change(store, { ciphertext: "" }), '"ciphertext" must be hex'],
    [change(store, { mac: "xyz" }), '"mac" must be hex'],
    [change(store, { mac: "00" }), "password is wrong"],
    [change(store, { kdf: "argon2id" }), 'The keystore cannot be read: "kdf" must be scrypt, or pbkdf2'],
    [change(store, { kdfparams: {} }), '"salt" must be hex'],
    [kdfparams({ n: 1000 }), '"n" must be a power of 2'],
    [kdfparams({ n: 1.5 }), '"n" must be a whole number'],
    [kdfparams({ n: 1 }), '"n" must be a whole number from 2'],
    [kdfparams({ p: 0 }), '"p" must be a whole number'],
    [kdfparams({ dklen: 16 }), '"dklen" must be a whole number from 32'],
    [kdfparams({ dklen: 1_000_000_000 }), "too much"],
    [kdfparams({ n: 2 ** 24 }), "scrypt with n=16777216, r=8, p=1, which is too much"],
    [kdfparams({ n: 2, r: 2 ** 30 }), "too much"],
    [kdfparams({ p: 2 ** 20 }), "too much"],
    [
      change(await storeOf("secret", { c: 1 }), { kdfparams: { salt: SALT, c: 2 ** 30 } }),
      "pbkdf2 with c=1073741824",
    ],
    [
      change(await storeOf("secret", { c: 1 }), { kdfparams: { salt: SALT, c: 1, prf: "hmac-sha512" } }),
      "hmac-sha256",
    ],
  ];
  for (const [content, reason] of refused)
    await expect(decrypt(content), reason).rejects.toMatchObject({
      name: "Failure",
      message: expect.stringContaining(reason),
    });
  await expect(readKeystore(join(folder, "none.json"))).rejects.toThrow("No such file");
  await expect(readKeystore(folder)).rejects.toThrow("A folder, not a file");
  await expect(readKeystore("/dev/zero")).rejects.toThrow("it is too large");
});
