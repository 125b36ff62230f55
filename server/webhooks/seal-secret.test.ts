import { expect, test } from "vitest";
import { makeWebhookSecret, openSecret, sealSecret } from "./seal-secret";

const SERVICE = "auth-secret-of-this-test";

test("a sealed secret can be opened only for its endpoint and with the service's secret", () => {
  const secret = makeWebhookSecret();
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  const seal = sealSecret(secret, "one", SERVICE);
  expect(seal.includes(Buffer.from(secret))).toBe(false);
  expect(openSecret(seal, "one", SERVICE)).toBe(secret);
  expect(openSecret(seal, "two", SERVICE)).toBeNull();
  expect(openSecret(seal, "one", `${SERVICE}!`)).toBeNull();
  for (let at = 0; at < seal.length; at += 7) {
    const bent = Buffer.from(seal);
    bent[at]! ^= 1;
    expect(openSecret(bent, "one", SERVICE)).toBeNull();
  }
  expect(openSecret(Buffer.alloc(0), "one", SERVICE)).toBeNull();
});

test("sealing the same secret twice gives different results", () => {
  const secret = makeWebhookSecret();
  expect(sealSecret(secret, "one", SERVICE).equals(sealSecret(secret, "one", SERVICE))).toBe(false);
});
