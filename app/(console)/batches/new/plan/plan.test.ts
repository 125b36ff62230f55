import { TRPCClientError } from "@trpc/client";
import { describe, expect, test } from "vitest";
import { readNamed } from "@/app/(console)/batches/new/prepare/read-named";
import { defaultWaitSeconds, readWait } from "@/app/(console)/batches/wait-field";
import { FileProblem } from "@/terms/file/decode-file";
import type { BatchReview } from "@/terms/findings";
import {
  compareList,
  conflictOf,
  failedPart,
  forecastFunds,
  hasNewFinding,
  idOfPart,
  isWaiting,
  type PartState,
  type Plan,
  payoutOfPart,
  storedBefore,
} from "./plan";

const parts = ["10.5", "20", "0.000000000001"].map((points) => ({ count: 1, points }));
const ready = (available: string): PartState => ({
  ...{ kind: "ready", finalizeAt: "", available, digest: "2" },
  ...{ review: null, awaitsApproval: false },
});
const stored = { kind: "stored", finalizeAt: "", available: "25", digest: "1", before: null } as const;
const allReady = (available: string) => parts.map(() => ready(available));

describe("the balance of a contract after all parts", () => {
  test("is exactly what is left", () => {
    const funds = forecastFunds({ parts, issuance: "ON_DEMAND" }, allReady("100"));
    expect(funds).toEqual({ before: "100", after: "69.499999999999", issued: "0", shortfall: "0" });
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
    const before = {
      createdAt: at,
      finalizeAt: at,
      heldAt: null,
      heldForPayout: false,
      heldApart: false,
      awaitsApproval: false,
      ...change,
    };
    return { ...stored, before } as PartState;
  };
  const [finalized, pending] = [batch({ status: "FINALIZED" }), batch({ status: "PENDING" })];
  const [waiting, held] = [
    batch({ status: "PENDING", heldAt: at, heldForPayout: true }),
    batch({ status: "PENDING", heldAt: at }),
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

  test("with another wait is not other content, and what became of it says what to do", () => {
    const said = (status: string, only: string | null, ...rest: PartState[]) => {
      const { before } = batch({ status, createdAt: "2026-01-31T11:00:00.000Z" }) as typeof stored;
      const detail = only ? `with the same 2 transfers. Only ${only}.` : "with 2 other transfers.";
      const problem = { title: "", detail, code: "batch_id_conflict" } as const;
      const states: PartState[] = [{ kind: "refused", problem, stored: before! }, ...rest];
      return conflictOf(states, "p", Date.parse(at))!.text;
    };
    const wait = "the wait differs";
    const twice = "Another ID would pay the same rows twice.";
    expect(said("FINALIZED", wait)).toBe(`This batch was submitted before. It is finalized. ${twice}`);
    for (const state of ["PENDING", "FINALIZED"])
      expect(said(state, wait, stored)).toMatch(/twice\. To continue, go back and enter 1 hour\.$/);
    expect(said("PENDING", "their order differs")).toMatch(
      /twice\. To continue, go back and undo what differs\.$/,
    );
    expect(said("CANCELLED", wait)).toMatch(/cancelled\. To pay these rows, go back and use another ID\.$/);
    expect(said("CANCELLED", wait, stored)).toContain(twice);
    expect(said("CANCELLED", null)).toContain("To pay these rows, go back and use another ID.");
    expect(said("PENDING", null)).toContain("Another ID would pay rows in both twice");
  });

  test("is continued with the same list, or once its change is confirmed, in as many batches", () => {
    const said = (listPoints: string | null, listDigest: string | null, partCount = 3) => {
      const before = { listPoints, listDigest, payout: { partCount } } as never;
      return compareList({ parts, points: "31" }, [{ ...stored, before }, stored, ready("9")])!;
    };
    expect(said("31", "9")).toMatchObject({ isChanged: false, text: "This is the same list as before." });
    expect(said("31", "5")).toMatchObject({ isChanged: true, mayContinue: true });
    expect(said("31", "5").text).toMatch(/^Its total is the same, but rows .* or their order, are not\./);
    expect(said("30", "5").text).toMatch(/^It has 31 in all, .* had 30\./);
    expect(said("31", null).text).toContain(": only the total was compared");
    expect(said(null, null).text).toContain(": nothing of them was compared");
    expect(said("31", "5", 2)).toMatchObject({ isChanged: true, mayContinue: false });
  });

  test("has something to release only if a batch is on hold since its submit", () => {
    expect([finalized, pending, held, waiting, stored].filter(isWaiting)).toEqual([waiting, stored]);
  });
});

describe("the payout of a file", () => {
  const file = { fileName: "a.csv", readAs: "R", doubts: ["a\nb"] };
  const plan = { contractAddress: "0xAb", idPrefix: "payout", ...file, parts } as unknown as Plan;

  test("links its parts, also a single one, with what was in doubt, and no correction of a batch", () => {
    const place = { id: "payout", part: 3, partCount: 3, readAs: "R\nIn doubt when submitted: a b" };
    expect(payoutOfPart(plan, 2, "9").payout).toMatchObject({ ...place, fileName: "a.csv", digest: "9" });
    const single = { ...plan, parts: parts.slice(0, 1) };
    expect(payoutOfPart(single, 0).payout).toMatchObject({ id: "payout", part: 1, partCount: 1 });
    expect(payoutOfPart({ ...single, corrects: "b" }, 0)).toEqual({});
    expect(idOfPart(single, 0)).toBe("payout.001");
    expect(idOfPart({ ...single, corrects: "b" }, 0)).toBe("payout");
  });

  test("is named by texts that can be stored, whatever the file and its columns are called", () => {
    const odd = `\ud800\0${"😀".repeat(300)}`;
    const { payout } = payoutOfPart({ ...plan, fileName: odd, readAs: odd, doubts: [] }, 0);
    expect(payout).toMatchObject({ fileName: `${"😀".repeat(126)}…`, readAs: "😀".repeat(300) });
  });
});

describe("a part whose submit failed", () => {
  const answered = (status: number, code: string) => {
    const data = { problem: { title: "", detail: "", status, code } };
    return TRPCClientError.from({ error: { message: "", code: -32603, data } } as never);
  };

  test.each([
    ["without an answer is not confirmed", new TRPCClientError("Failed to fetch"), "unconfirmed"],
    ["with an answer of a proxy is not confirmed", new TRPCClientError("Unexpected token <"), "unconfirmed"],
    ["with a busy database is not confirmed", answered(503, "service_unavailable"), "unconfirmed"],
    ["for its content is rejected", answered(409, "batch_id_conflict"), "refused"],
    ["for want of points is rejected", answered(422, "insufficient_points"), "refused"],
    ["before it was sent is not submitted", new FileProblem("The rows have changed."), "waiting"],
    ["for the session's end is not submitted", answered(401, "unauthorized"), "waiting"],
    ["for too many requests is not submitted", answered(429, "rate_limited"), "waiting"],
  ])("%s", (_, error, kind) => {
    expect(failedPart(error, "sending")).toMatchObject({ kind });
  });

  test("is not submitted if it was only a dry run that had no answer", () => {
    expect(failedPart(new TRPCClientError("Failed to fetch"), "trying")).toEqual({ kind: "waiting" });
    expect(failedPart(answered(409, "batch_id_conflict"), "trying")).toMatchObject({ kind: "refused" });
  });
});

describe("a review that is made again", () => {
  const compared = { level: "expected", points: "1", usual: null, times: null, isRecord: false } as const;
  const review = (change: Partial<BatchReview> = {}): BatchReview => ({
    level: "expected",
    comparedWith: 1,
    repeats: { level: "expected", batches: [] },
    total: compared,
    largestTransfer: compared,
    recipients: { level: "expected", total: 1, new: 0, percent: 0 },
    share: null,
    ...change,
  });
  const repeats = (...ids: string[]) => ({
    repeats: {
      level: "alarming" as const,
      batches: ids.map((id) => ({ id, status: "PENDING" as const, cancelReason: null, cancelledBy: null })),
    },
  });
  const unusual = { recipients: { level: "unusual" as const, total: 1, new: 1, percent: 100 } };
  const share = { share: { level: "alarming" as const, percent: 99 } };

  test.each([
    ["another batch with the same transfers", review(), review(repeats("a")), true],
    ["one more of them", review(repeats("a")), review(repeats("b", "a")), true],
    ["a finding that became unusual", review(), review(unusual), true],
    ["a finding that was not made before", review(unusual), review({ ...unusual, ...share }), true],
    ["nothing else", review(repeats("a")), review(repeats("a")), false],
    ["fewer findings", review({ ...unusual, ...repeats("a") }), review(), false],
    ["a finding that is only notable", review(), review({ total: { ...compared, level: "notable" } }), false],
  ])("and finds %s", (_, before, now, isNew) => {
    expect(hasNewFinding(before, now)).toBe(isNew);
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

test("of 5,000 batches that a file names, each is read once, in inputs that a URL can have", async () => {
  const [contract, other] = [`0x${"c".repeat(40)}`, `0x${"d".repeat(40)}`];
  const idOf = (at: number) => `${"p".repeat(59)}:${at}`;
  const named = Array.from({ length: 5000 }, (_, at) => ({
    contractAddress: at < 4000 ? contract : other,
    batchId: idOf(at),
  }));
  const query = async (input: { contractAddress: string; batchIds: string[] }) => {
    expect(encodeURIComponent(JSON.stringify(input)).length).toBeLessThan(6000);
    const [fits, left] = [input.batchIds.slice(0, 30), input.batchIds.slice(30)];
    return { batches: fits.map((batchId) => ({ ...input, batchId })), left };
  };
  const client = { console: { statements: { named: { query } } } } as never;
  const read: string[] = [];
  const all = [...named, { contractAddress: "", batchId: "of-no-contract" }];
  for await (const batches of readNamed(client, all, new AbortController().signal))
    read.push(...batches.map(({ batchId }) => batchId));
  expect(read.toSorted()).toEqual(named.map(({ batchId }) => batchId).toSorted());
});
