import { expect, test } from "vitest";
import type { Database } from "@/db/client";
import { setRule, testContext } from "@/testing/factories";
import { interleavings, runInOrder, type Transaction } from "@/testing/races";
import { useLedger } from "@/testing/use-ledger";
import { approveBatch, rejectBatch } from "./approve-batch";
import { cancelBatch } from "./cancel-batch";
import { holdBatch, releaseBatch } from "./hold-batch";

const { db, newContract, submit } = useLedger();

const DECISIONS = {
  hold: { decide: holdBatch, done: "put it on hold" },
  release: { decide: releaseBatch, done: "released it" },
  approve: { decide: approveBatch, done: "approved it" },
  reject: { decide: rejectBatch, done: "rejected it" },
  cancel: { decide: cancelBatch, done: "cancelled it" },
} as const;
type Decision = keyof typeof DECISIONS;

/** @param state of the batch when both open its card */
const PAIRS: [state: "pending" | "on hold" | "awaiting", ann: Decision, bob: Decision][] = [
  ["pending", "hold", "hold"],
  ["pending", "hold", "cancel"],
  ["pending", "cancel", "cancel"],
  ["on hold", "release", "release"],
  ["on hold", "release", "cancel"],
  ["awaiting", "approve", "approve"],
  ["awaiting", "approve", "reject"],
  ["awaiting", "approve", "cancel"],
];

test.each(PAIRS.flatMap((pair) => interleavings(2, 2).map((order) => [...pair, order] as const)))(
  "two people decide about a batch that is %s: who comes second with %s or %s learns who did what (%s)",
  async (state, ann, bob, order) => {
    const contractAddress = await newContract();
    if (state === "awaiting") await setRule(db, contractAddress, { threshold: "1" });
    await submit(contractAddress, [[1, "5"]], { batchId: "b", secondsToFinalize: 3600 });
    const input = { contractAddress, batchId: "b", reason: "looked at it" };
    if (state === "on hold") await holdBatch(testContext(db, "staff:eve@example.com"), input);
    const client = (name: string, decision: Decision): Transaction[] => [
      {
        ends: "commit",
        run: (own: Database) =>
          DECISIONS[decision].decide(testContext(own, `staff:${name}@example.com`), input),
      },
    ];
    const outcome = await runInOrder(db, order, { a: client("ann", ann), b: client("bob", bob) });
    const [annFailed, bobFailed] = [outcome.a.results[0], outcome.b.results[0]].map(
      (result) => result instanceof Error && result.message,
    );
    expect(annFailed && bobFailed).toBe(false);
    const other = annFailed ? ["bob", bob] : ["ann", ann];
    const error = annFailed || bobFailed;
    const said = `${other[0]}@example.com ${DECISIONS[other[1] as Decision].done} at `;
    if (error) expect(error).toContain(said);
    // Only these may both be right: what is on hold or approved can still be cancelled.
    else expect([ann, bob]).toContain("cancel");
  },
);
