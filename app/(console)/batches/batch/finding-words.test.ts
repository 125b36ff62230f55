import { describe, expect, test } from "vitest";
import { recipientSummary, whyUnusual } from "@/app/(console)/batches/unusual-mark";
import type { BatchReview } from "@/server/batches/list/findings";

test.each([
  [1, 1, "The recipient is new to this contract."],
  [1, 0, "This contract has paid the recipient before."],
  [3, 0, "This contract has paid all 3 recipients before."],
  [3, 3, "All 3 recipients are new to this contract."],
  [10, 1, "1 of 10 recipients (10%) is new to this contract."],
  [2000, 19, "19 of 2,000 recipients (less than 1%) are new to this contract."],
  [2000, 1999, "1,999 of 2,000 recipients (99%) are new to this contract."],
])("%i recipients, %i of them new: %s", (total, fresh, summary) => {
  expect(recipientSummary({ total, new: fresh, percent: Math.floor((100 * fresh) / total) })).toBe(summary);
});

describe("why a batch is unusual", () => {
  const usual = { median: "10", p95: "10", max: "10" };
  const ordinary = { level: "expected" as const, points: "8", usual, times: "0", isRecord: false };
  const review: BatchReview = {
    level: "alarming",
    comparedWith: 1,
    repeats: { level: "expected", batches: [] },
    total: ordinary,
    largestTransfer: ordinary,
    recipients: { level: "notable", total: 3, new: 1, percent: 33 },
    share: null,
  };

  test("names each unusual finding, and no other", () => {
    expect(
      whyUnusual({
        ...review,
        total: { ...ordinary, level: "alarming", points: "1234567.5", times: "80" },
        share: { level: "unusual", percent: 67 },
      }),
    ).toBe(
      "The total is 1,234,567.5, 80 times the usual. It uses 67% of the balance that the contract had available.",
    );
  });

  test("names the cancelled batch that it repeats before any other", () => {
    const repeat = { cancelReason: null, cancelledBy: null };
    const batches = [
      { ...repeat, id: "late", status: "PENDING" as const },
      { ...repeat, id: "wrong", status: "CANCELLED" as const },
    ];
    expect(whyUnusual({ ...review, repeats: { level: "unusual", batches } })).toBe(
      "It has the same 3 transfers as the cancelled batch wrong.",
    );
    expect(whyUnusual({ ...review, repeats: { level: "unusual", batches: batches.slice(0, 1) } })).toBe(
      "It has the same 3 transfers as late.",
    );
  });

  test.each([
    [{ isReordered: true }, "It has the same 3 transfers as paid, in another order."],
    [{ hasOtherWait: true }, "It has the same 3 transfers as paid, with another wait."],
    [
      { isReordered: true, hasOtherWait: true },
      "It has the same 3 transfers as paid, in another order and with another wait.",
    ],
    [{ shared: 2, transferCount: 3 }, "2 of its 3 transfers are also in paid."],
    [{ shared: 2, transferCount: 2 }, "It contains all 2 transfers of paid."],
  ])("says how it differs from the batch that it repeats: %o", (differs, words) => {
    const batches = [
      { id: "paid", status: "FINALIZED" as const, cancelReason: null, cancelledBy: null, ...differs },
    ];
    expect(whyUnusual({ ...review, repeats: { level: "unusual", batches } })).toBe(words);
  });

  test("says of an identical correction what it corrects", () => {
    const repeat = { status: "CANCELLED" as const, cancelReason: null, cancelledBy: null };
    const batches = [
      { ...repeat, id: "wrong-2" },
      { ...repeat, id: "wrong", isCorrected: true },
    ];
    expect(whyUnusual({ ...review, repeats: { level: "unusual", batches } })).toBe(
      "It has the same 3 transfers as the cancelled batch wrong, which it corrects.",
    );
  });
});
