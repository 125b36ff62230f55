import { describe, expect, test } from "vitest";
import { defaultWaitSeconds, readWait } from "@/app/(console)/batches/wait-field";
import {
  forecastFunds,
  isWaiting,
  type PartState,
  type Plan,
  storedBefore,
  uploadIdOf,
  uploadOfPart,
} from "./plan";

const parts = ["10.5", "20", "0.000000000001"].map((points) => ({ count: 1, points }));
const ready = (available: string): PartState => ({ kind: "ready", finalizeAt: "", available, review: null });
const stored = { kind: "stored", finalizeAt: "", available: "25", before: null } as const;
const allReady = (available: string) => parts.map(() => ready(available));

describe("the balance of a contract after all parts", () => {
  test("is exactly what is left", () => {
    expect(forecastFunds({ parts, issuance: "ON_DEMAND" }, allReady("100"))).toEqual({
      before: "100",
      after: "69.499999999999",
      issued: "0",
      shortfall: "0",
    });
  });

  test("is topped up with what an ON_DEMAND contract lacks for all parts together", () => {
    const funds = forecastFunds({ parts, issuance: "ON_DEMAND" }, allReady("25"));
    expect(funds).toMatchObject({ after: "0", issued: "5.500000000001", shortfall: "0" });
  });

  test("may be too low for a PREFUNDED contract although each part alone would pass", () => {
    const funds = forecastFunds({ parts, issuance: "PREFUNDED" }, allReady("25"));
    expect(funds).toMatchObject({ issued: "0", shortfall: "5.500000000001" });
  });

  test("is not charged again for parts that are already stored", () => {
    const states = [stored, ready("25"), ready("25")];
    const funds = forecastFunds({ parts, issuance: "PREFUNDED" }, states);
    expect(funds).toMatchObject({ after: "4.999999999999", shortfall: "0" });
  });
});

describe("a file that was submitted before", () => {
  const at = "2026-01-31T12:00:00.000Z";
  const batch = (change: object) => {
    const before = { createdAt: at, finalizeAt: at, heldAt: null, awaitsApproval: false, ...change };
    return { ...stored, before } as PartState;
  };
  const [finalized, pending] = [batch({ status: "FINALIZED" }), batch({ status: "PENDING" })];
  const [waiting, held] = [
    batch({ status: "PENDING", heldAt: at }),
    batch({ status: "PENDING", heldAt: "2026-01-31T13:00:00.000Z" }),
  ];
  const words = (...states: PartState[]) =>
    storedBefore(
      states.map((state) => (state as typeof stored).before!),
      Date.parse(at),
    );

  test("says what became of its batches", () => {
    expect(words(finalized)).toBe("This batch was submitted before. It is finalized.");
    expect(words(finalized, finalized)).toBe("These 2 batches were submitted before. All are finalized.");
    expect(words(finalized, pending, held, waiting)).toBe(
      "These 4 batches were submitted before. 1 finalized, 1 pending, 2 on hold.",
    );
  });

  test("has something to release only if a batch is on hold since its submit", () => {
    expect([finalized, pending, held, waiting, stored].map(isWaiting)).toEqual([
      false,
      false,
      false,
      true,
      true,
    ]);
  });
});

describe("the upload of a file", () => {
  const plan = { contractAddress: "0xAb", idPrefix: "payout", fileName: "a.csv", parts } as Plan;

  test("is the same when the file is chosen again, and another one under another ID or contract", () => {
    expect(uploadIdOf(plan)).toBe(
      uploadIdOf({ ...plan, contractAddress: "0xab", fileName: "copy.csv" } as Plan),
    );
    expect(uploadIdOf({ ...plan, idPrefix: "payout-2" })).not.toBe(uploadIdOf(plan));
    expect(uploadIdOf({ ...plan, contractAddress: "0xcd" })).not.toBe(uploadIdOf(plan));
  });

  test("links the parts of several, and not a single one, which is submitted without a hold", () => {
    expect(uploadOfPart(plan, 2).upload).toMatchObject({ part: 3, partCount: 3, fileName: "a.csv" });
    expect(uploadOfPart({ ...plan, parts: parts.slice(0, 1) }, 0)).toEqual({});
  });
});

const LIMITS = { minimumFinalizeSeconds: 3600, defaultFinalizeSeconds: 86_400 };

describe("a wait", () => {
  test.each([
    ["24", "hours", 86_400],
    ["1.5", "hours", 5400],
    [" 90 ", "minutes", 5400],
  ] as const)("of %s %s is %i seconds", (amount, unit, seconds) => {
    expect(readWait({ amount, unit }, LIMITS)).toEqual({ seconds });
  });

  test.each([
    ["", "hours", "Enter a number"],
    ["-1", "hours", "Enter a number"],
    ["4000.5", "seconds", "whole number of seconds"],
    ["59", "minutes", "Enter at least 1 h."],
    ["25", "hours", "Enter at most 1 d."],
  ] as const)("of %j %s is rejected: %s", (amount, unit, message) => {
    expect(readWait({ amount, unit }, LIMITS)).toEqual({ error: expect.stringContaining(message) });
  });

  test.each([
    ["host's default, without one of the contract", null, 86_400],
    ["contract's default", 7200, 7200],
    ["contract's default, raised to what the host allows now", 10, 3600],
    ["contract's default, lowered to what the host allows now", 90_000, 86_400],
  ] as const)("that nobody chose is the %s", (_, own, seconds) => {
    expect(defaultWaitSeconds(own, LIMITS)).toBe(seconds);
  });
});
