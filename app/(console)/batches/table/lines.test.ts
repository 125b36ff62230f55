import { expect, test } from "vitest";
import { isPartial, payoutLook } from "@/app/(console)/batches/payout/payout-badge";
import { headlineOf } from "@/app/(console)/batches/payout/payout-steps";
import type { ConsoleBatch } from "@/server/batches/list/console-schema";
import type { ConsolePayout } from "@/server/payouts/read-payout";
import { toRows } from "./columns";
import { flagOf, type Line, linesOf } from "./lines";

const batch = (id: string, payout?: string, pointType = "PHASE2_POINTS") =>
  ({
    contractAddress: "0xC0",
    id,
    pointType,
    payout: payout ? { id: payout, stored: 3, partCount: 3 } : null,
  }) as ConsoleBatch;
const [other, last] = [batch("other"), batch("last")];
const [one, two, three] = ["p.001", "p.002", "p.003"].map((id) => batch(id, "p"));
/** Each takes a batch of the payout back. */
const [back, more] = ["back.1", "back.2"].map(
  (id, at): ConsoleBatch => ({
    ...{ ...batch(id), status: at === 0 ? "FINALIZED" : "PENDING", points: "1.5", transferCount: 2 },
    ...{ reverses: "p.001", takesBack: { id: "p", stored: 3 } as ConsoleBatch["takesBack"] },
  }),
);
/** Of a file whose other batches are not stored. */
const only = { ...one!, payout: { id: "p", stored: 1, partCount: 3 } } as ConsoleBatch;
const key = "/payouts/0xC0/p PHASE2_POINTS";

/** Each row: a payout as `p: its batches`, and its batches with a dash. */
const shown = (batches: ConsoleBatch[], unfolded: string[] = []) =>
  linesOf(batches, new Set(unfolded)).map(({ isPayout, isPart, batch, batches: own }) =>
    isPayout ? `p: ${own.map(({ id }) => id).join(" ")}` : `${isPart ? "- " : ""}${batch.id}`,
  );

test.each<[name: string, batches: ConsoleBatch[], unfolded: string[], rows: string[]]>([
  ["is one row", [other, one!, two!, last], [], ["other", "p: p.001 p.002", "last"]],
  ["unfolds", [other, one!, two!, last], [key], ["other", "p: p.001 p.002", "- p.001", "- p.002", "last"]],
  ["is at the place of its first batch", [two!, other, three!, one!], [], ["p: p.002 p.003 p.001", "other"]],
  ["of which one batch is loaded is that batch", [one!, other], [key], ["p.001", "other"]],
  ["is one row while the rest of its file is not stored", [only, other], [], ["p: p.001", "other"]],
  [
    "has a row for each point type",
    [one!, batch("g", "p", "PHASE2_GOLD"), two!],
    [],
    ["p: p.001 p.002", "g"],
  ],
  [
    "is one row, and what takes it back another",
    [more!, back!, one!, two!],
    [],
    ["p: back.2 back.1", "p: p.001 p.002"],
  ],
  ["is not one of another contract", [one!, { ...two!, contractAddress: "0xC1" }], [], ["p.001", "p.002"]],
])("a payout in the list %s", (_, batches, unfolded, rows) => {
  expect(shown(batches, unfolded)).toEqual(rows);
});

test("what takes a payout back has its own figures in its row, of all reversals", () => {
  const [{ batch: row }] = linesOf([more!, back!], new Set()) as [Line];
  expect(row).toMatchObject({ reverses: "p.001", payout: more!.takesBack });
});

test("the row of what takes a payout back twice has the created and the due time of one of them", () => {
  const rowOf = (pending: number) => {
    const figures = { points: "3", nextDueAt: pending ? "due 1" : null, firstDueAt: "due 1" };
    const takesBack = { ...figures, counts: { pending, finalizing: 0, onHold: 0 } };
    const times = [2, 1].map((day) => ({ createdAt: `created ${day}`, finalizeAt: `due ${day}` }));
    const backs = times.map((time) => ({ ...back!, ...time, takesBack }) as ConsoleBatch);
    return toRows(linesOf(backs, new Set()), backs, () => undefined)[0]!.batch;
  };
  expect(rowOf(2)).toMatchObject({ createdAt: "created 1", finalizeAt: "due 1" });
  expect(rowOf(0)).toMatchObject({ createdAt: "created 2", finalizeAt: "due 2" });
});

test("a payout is as unusual as its most unusual batch, wherever that is", () => {
  const [unusual, alarming] = (["unusual", "alarming"] as const).map((level) => ({ level, why: level }));
  const flagged = [null, unusual!, alarming!].map((flag) => ({ ...one!, flag }));
  expect(flagOf({ batches: flagged })).toEqual(alarming);
  expect(flagOf({ batches: flagged.slice(0, 2) })).toEqual(unusual);
  expect(flagOf({ batches: flagged.slice(0, 1) })).toBeNull();
});

test("of a payout with more batches than the list reads, only what is true of some of them is said", () => {
  const none = { pending: 0, onHold: 0, awaitingApproval: 0, finalizing: 0, finalized: 0, cancelled: 0 };
  const parts = { stored: 1001, storedParts: 1001, partCount: 5000 };
  const figures = { ...parts, isWhole: false, firstDueAt: null, isShort: false };
  const lookOf = (counts: Partial<typeof none>) =>
    payoutLook({ ...figures, counts: { ...none, ...counts } }, 0).label;
  for (const counts of [{ finalized: 1001 }, { cancelled: 1001 }, { pending: 1001 }])
    expect(lookOf(counts)).toBe("1,000+ batches");
  expect(lookOf({ pending: 1001, onHold: 1 })).toBe("Partly on hold");
  // So is one of which the rest is paid.
  expect(lookOf({ pending: 1, onHold: 1, finalized: 1000 })).toBe("Partly on hold");
  expect(lookOf({ pending: 1001, onHold: 1001 })).toBe("On hold");
  // Its amount in the list has a +.
  const arePartial = [1, 2, null].map((partCount) => isPartial({ storedParts: 1, isWhole: true, partCount }));
  expect(arePartial).toEqual([false, true, false]);
});

test("the page of a payout of which a batch is missing calls no part the whole", () => {
  const none = { paid: "0", pending: "0", finalizing: "0", finalized: "0", takenBack: "0", takingBack: "0" };
  const said = (status: string, points: string, notPaid: string, listPoints: string | null) => {
    const amounts = [{ pointType: "PHASE2_POINTS", ...none, points, pending: points, notPaid }];
    const sent = { partCount: 3, storedParts: 2, submittedBy: [], counts: {}, amounts, status, listPoints };
    const payout = sent as unknown as ConsolePayout;
    return headlineOf(payout, payout.amounts[0]!).join(", ");
  };
  expect(said("PENDING", "2883", "0", null)).toBe("0, Points paid, 2,883 submitted, whole amount not known");
  expect(said("CANCELLED", "0", "2883", null)).toBe("0, Points paid, 2,883 not paid, whole amount not known");
  expect(said("PENDING", "2883", "0", "6502.5")).toBe("0 of 6,502.5, Points paid");
});
