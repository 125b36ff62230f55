import { encode } from "next-auth/jwt";
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { refusalOf } from "@/testing/expectations";
import { forgetSingles } from "@/testing/rest-request";
import {
  boundedPasswordWork,
  hashPassword,
  isCommonPassword,
  type SlotClaim,
  verifyPassword,
} from "./passwords";
import { sessionIdOf } from "./session-cookies";
import { KNOWN_DEVICE_SECONDS, openDevice, sealDevice } from "./sessions";
import { makeToken, tokenKind } from "./tokens";

describe("a token", () => {
  test("is well-formed, has a checksum, is unique, and is of one kind only", () => {
    for (const [kind, prefix, other] of [
      ["access", "ptb_", "pto_"],
      ["operator", "pto_", "ptb_"],
    ] as const) {
      const tokens = Array.from({ length: 500 }, () => makeToken(kind));
      for (const token of tokens) {
        expect(token).toMatch(new RegExp(`^${prefix}[0-9A-Za-z]{36}$`));
        expect([tokenKind(token), tokenKind(token.replace(prefix, other))]).toEqual([kind, null]);
      }
      expect(new Set(tokens).size).toBe(tokens.length);
    }
  });

  test("with a changed character or two swapped neighbors fails its checksum", () => {
    const token = makeToken("access");
    for (let at = 0; at < token.length; at++) {
      const other = token[at] === "a" ? "b" : "a";
      expect(tokenKind(token.slice(0, at) + other + token.slice(at + 1)), `changed at ${at}`).toBeNull();
      if (at > 0 && token[at] !== token[at - 1]) {
        const swapped = token.slice(0, at - 1) + token[at] + token[at - 1] + token.slice(at + 1);
        expect(tokenKind(swapped), `swapped at ${at}`).toBeNull();
      }
    }
  });

  test("created by an earlier version is still valid", () => {
    expect(tokenKind(["ptb", "ATjscdnHxImgPmQPiunVIi2z5KDa3zzvzH30"].join("_"))).toBe("access");
    expect(tokenKind(["pto", "m9Yvit8qJEWOuiuUP04yDpbaoNaJvVuEKGb2"].join("_"))).toBe("operator");
  });
});

const EMAIL = "a@example.com";
const SECRET = "a secret of this service";

afterEach(() => void vi.useRealTimers());

test("a device's cookie works for the person who signed in there, in any letter case, and keeps its ID", () => {
  const cookie = sealDevice(EMAIL, SECRET, null);
  const id = openDevice(cookie, EMAIL.toUpperCase(), SECRET);
  expect(id).toMatch(/^[\w-]{22}$/);
  expect(openDevice(sealDevice(EMAIL, SECRET, id), EMAIL, SECRET)).toBe(id);
});

test("a device's cookie works for nobody else, with no other secret, and not when it is changed", () => {
  const cookie = sealDevice(EMAIL, SECRET, null);
  expect(openDevice(cookie, "b@example.com", SECRET)).toBeNull();
  expect(openDevice(cookie, EMAIL, "another secret")).toBeNull();
  expect(openDevice(`x${cookie}`, EMAIL, SECRET)).toBeNull();
  expect(openDevice(`${cookie}.x`, EMAIL, SECRET)).toBeNull();
  for (const garbage of [undefined, "", ".", "..", "a.b.c", "é.1.é"])
    expect(openDevice(garbage, EMAIL, SECRET)).toBeNull();
});

test("a device's cookie expires after a year, and does not contain the email", () => {
  const cookie = sealDevice(EMAIL, SECRET, null);
  expect(Buffer.from(cookie, "base64url").toString() + cookie).not.toContain("example");
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + KNOWN_DEVICE_SECONDS * 1000 });
  expect(openDevice(cookie, EMAIL, SECRET)).toBeNull();
});

afterAll(() => {
  vi.unstubAllEnvs();
  forgetSingles();
});

test("a session lives on when AUTH_SECRET is rotated, as long as AUTH_SECRET_PREVIOUS has the old one", async () => {
  const old = "auth-secret-before-rotation";
  const cookie = `next-auth.session-token=${await encode({ token: { sid: "s1" }, secret: old })}`;
  const read = (secrets: Record<string, string>) => {
    vi.unstubAllEnvs();
    for (const [name, secret] of Object.entries(secrets)) vi.stubEnv(name, secret);
    forgetSingles();
    return sessionIdOf(cookie);
  };
  const AUTH_SECRET = "auth-secret-after-rotation";
  expect(await read({ AUTH_SECRET: old })).toBe("s1");
  expect(await read({ AUTH_SECRET })).toBeNull();
  expect(await read({ AUTH_SECRET, AUTH_SECRET_PREVIOUS: old })).toBe("s1");
});

const PERSON = "rosalind.franklin@example.com";

// A hash takes a second of CPU time, and much longer on a busy machine.
test("a password matches only its own hash, which is salted and has its cost, and is the same in any Unicode composition; of an unknown user it never matches, and takes about as long", async () => {
  const [one, other] = await Promise.all([
    hashPassword("caf\u00e9 au lait"),
    hashPassword("caf\u00e9 au lait"),
  ]);
  expect(one).not.toBe(other);
  expect(one).toMatch(/^scrypt\$131072\$8\$1\$[A-Za-z0-9+/=]{24}\$[A-Za-z0-9+/=]{44}$/);
  expect(await verifyPassword("cafe\u0301 au lait", one)).toBe(true);
  const seconds = async (hash: string | null) => {
    const startedAt = performance.now();
    expect(await verifyPassword("caf\u00e9 au lait ", hash)).toBe(false);
    return performance.now() - startedAt;
  };
  const known = Math.min(await seconds(one), await seconds(one));
  expect(await seconds(null)).toBeGreaterThan(known / 4);
}, 120_000);

test("a common password, a repeated part or the person's own email is refused, with digits appended too", () => {
  const bad = ["unbelievable", "QwertyUIOP[]", "password123!", "Administrator2024", "passwordpassword"];
  bad.push(
    "aaaaaaaaaaaaaa",
    "abababababababab",
    "ｐａｓｓｗｏｒｄ１２３４",
    PERSON.toUpperCase(),
    "rosalind.franklin2024",
  );
  const good = ["correct horse battery", "kXq3-vRt9-mLw2", "the river 1984 freezes", "a1b2c3d4e5f6g7h8z"];
  expect([...bad, ...good].filter((password) => isCommonPassword(password, PERSON))).toEqual(bad);
});

describe("password checks at the same time", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(async () => {
    // The list grows while it is worked off: each end starts the next one that waits.
    for (const { end } of started) {
      end("checked");
      await vi.advanceTimersByTimeAsync(0);
    }
    started.length = 0;
    vi.useRealTimers();
  });

  const started: { name: string; end: (outcome: "checked" | Error) => void }[] = [];
  let count = 0;

  /** Password work that runs until it is ended. */
  function work(claim: Partial<SlotClaim> = {}) {
    const name = `work-${++count}`;
    const { sources = [name], isKnown = false } = claim;
    const outcome = boundedPasswordWork({ sources, isKnown }, async () => {
      const given = await new Promise<"checked" | Error>((end) => started.push({ name, end }));
      if (given instanceof Error) throw given;
      return given;
    });
    outcome.catch(() => undefined);
    return { name, outcome };
  }
  const isRunning = ({ name }: { name: string }) => started.some((each) => each.name === name);
  const end = async ({ name }: { name: string }, outcome: "checked" | Error = "checked") => {
    started.find((each) => each.name === name)!.end(outcome);
    await vi.advanceTimersByTimeAsync(0);
  };
  const settle = () => vi.advanceTimersByTimeAsync(0);

  test("three new devices are served at a time, and the next one starts when one finishes or fails", async () => {
    const [first, second, third, fourth, fifth] = [work(), work(), work(), work(), work()];
    await settle();
    expect([first, second, third, fourth].map(isRunning)).toEqual([true, true, true, false]);
    await end(first!);
    expect(await first!.outcome).toBe("checked");
    expect([fourth, fifth].map((each) => isRunning(each!))).toEqual([true, false]);
    await end(second!, new Error("out of memory"));
    await expect(second!.outcome).rejects.toThrow("out of memory");
    expect(isRunning(fifth!)).toBe(true);
  });

  test("work that waits longer than a second is refused", async () => {
    for (let i = 0; i < 3; i++) work();
    const late = work();
    await vi.advanceTimersByTimeAsync(999);
    const refused = refusalOf(late.outcome);
    await vi.advanceTimersByTimeAsync(1);
    expect(await refused).toMatchObject({ code: "rate_limited" });
    expect(isRunning(late)).toBe(false);
  });

  test("a slot stays free for a device that signed in before", async () => {
    for (let i = 0; i < 5; i++) work();
    const known = work({ isKnown: true });
    await settle();
    expect(isRunning(known)).toBe(true);
  });

  test.each([["person"], ["address"]])(
    "one %s takes at most two slots, however often it asks, and others pass those that wait",
    async (source) => {
      const greedy = Array.from({ length: 6 }, (_, i) => work({ sources: [source, `other-${i}`] }));
      const other = work();
      await settle();
      expect(greedy.filter(isRunning)).toHaveLength(2);
      expect(isRunning(other)).toBe(true);
    },
  );
});
