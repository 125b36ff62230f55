import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from "node:crypto";

/** OWASP's parameters for scrypt: N = 2¹⁷, r = 8, p = 1; 128 MiB per check. */
const COST = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 } satisfies ScryptOptions;
const KEY_BYTES = 32;

const derive = (password: string, salt: Buffer, cost: ScryptOptions) =>
  new Promise<Buffer>((resolve, reject) => {
    scrypt(password.normalize("NFKC"), salt, KEY_BYTES, cost, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });

/** The stored form of a password: `scrypt$N$r$p$salt$key`, base64. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await derive(password, salt, COST);
  return ["scrypt", COST.N, COST.r, COST.p, salt.toString("base64"), key.toString("base64")].join("$");
}

/** Whether a password matches a stored hash. For an unknown user pass `null`; it takes just as long. */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  const [, n, r, p, salt = "", key = ""] = (stored ?? "").split("$");
  if (!stored) {
    await derive(password, randomBytes(16), COST);
    return false;
  }
  const cost = { N: Number(n), r: Number(r), p: Number(p), maxmem: COST.maxmem };
  const expected = Buffer.from(key, "base64");
  const given = await derive(password, Buffer.from(salt, "base64"), cost);
  return expected.length === given.length && timingSafeEqual(expected, given);
}
