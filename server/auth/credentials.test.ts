import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { refusalOf } from "@/testing/expect-refusal";
import {
  boundedPasswordWork,
  hashPassword,
  isCommonPassword,
  type SlotClaim,
  verifyPassword,
} from "./passwords";

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
  const known = await seconds(one);
  expect(await seconds(null)).toBeGreaterThan(known / 4);
}, 120_000);

const EMAIL = "rosalind.franklin@example.com";

test.each([
  ["on the list", "unbelievable"],
  ["on the list, in capitals", "QwertyUIOP[]"],
  ["with digits and a symbol appended", "password123!"],
  ["with digits appended", "Administrator2024"],
  ["repeated", "passwordpassword"],
  ["of one character", "aaaaaaaaaaaaaa"],
  ["of two characters, repeated", "abababababababab"],
  ["with full-width letters", "ｐａｓｓｗｏｒｄ１２３４"],
  ["the person's email", EMAIL.toUpperCase()],
  ["the person's name, with a year", "rosalind.franklin2024"],
])("a password that is %s is refused", (_what, password) => {
  expect(isCommonPassword(password, EMAIL)).toBe(true);
});

test.each(["correct horse battery", "kXq3-vRt9-mLw2", "the river 1984 freezes", "a1b2c3d4e5f6g7h8z"])(
  "a password that is not is accepted: %s",
  (password) => expect(isCommonPassword(password, EMAIL)).toBe(false),
);

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
