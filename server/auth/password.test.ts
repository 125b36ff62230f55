import { describe, expect, test } from "vitest";
import { hashPassword, verifyPassword } from "./passwords";

// A hash takes a second of CPU time, and much longer on a busy machine.
describe("a password", { timeout: 120_000 }, () => {
  test("matches only its own hash, which is salted and includes its cost", async () => {
    const [one, other] = await Promise.all([hashPassword("correct horse"), hashPassword("correct horse")]);
    expect(one).not.toBe(other);
    expect(one).toMatch(/^scrypt\$131072\$8\$1\$[A-Za-z0-9+/=]{24}\$[A-Za-z0-9+/=]{44}$/);
    expect(await verifyPassword("correct horse", one)).toBe(true);
    expect(await verifyPassword("correct horse ", one)).toBe(false);
    expect(await verifyPassword("", one)).toBe(false);
  });

  test("is the same in any Unicode composition", async () => {
    const stored = await hashPassword("caf\u00e9 au lait");
    expect(await verifyPassword("cafe\u0301 au lait", stored)).toBe(true);
  });

  test("does not match a stored key of a different length", async () => {
    const [name, n, r, p, salt] = (await hashPassword("correct horse")).split("$");
    expect(await verifyPassword("correct horse", [name, n, r, p, salt, "AAAA"].join("$"))).toBe(false);
  });

  test("of an unknown user never matches, and takes about as long", async () => {
    const stored = await hashPassword("correct horse");
    const seconds = async (hash: string | null) => {
      const startedAt = performance.now();
      expect(await verifyPassword("wrong", hash)).toBe(false);
      return performance.now() - startedAt;
    };
    const known = await seconds(stored);
    const unknown = await seconds(null);
    expect(unknown).toBeGreaterThan(known / 4);
  });
});
