import { beforeAll, describe, expect, test } from "vitest";
import { wallet } from "@/testing/factories";
import { useLedger } from "@/testing/use-ledger";
import { holdBatch } from "../change/hold-batch";
import type { BatchFilters } from "./console-schema";
import { countFacets, countNewer, totalBatches } from "./count-batches";
import { exportBatches } from "./export-batches";
import { LIST_SORT_NAMES, listsFinalized } from "./filters";
import { listConsoleBatches } from "./list-console-batches";

const { db, context, useContract, submit, finalize } = useLedger({ balances: false });
const contract = useContract();
const EARLY = "2020-01-01T00:00:00.000Z";
const LATE = "2100-01-01T00:00:00.000Z";

/** One batch is finalized, one is on hold, one is neither. All are marked as unusual. */
beforeAll(async () => {
  for (const [batchId, secondsToFinalize] of [
    ["finalized", 0],
    ["pending", 3600],
    ["held", 3600],
  ] as const)
    await submit(contract, [[1, "1"]], { batchId, secondsToFinalize });
  await holdBatch(context(), { contractAddress: contract, batchId: "held", reason: "looks odd" });
  await finalize();
  await db.sql`
    insert into batch_reviews (contract_address, batch_seq, created_at, level, findings, reviewed_at)
    select contract_address, seq, created_at, 'unusual', '{"level":"unusual"}', now() from batches`;
});

const CONTRADICTIONS: BatchFilters[] = [
  { held: true, finalizedAfter: EARLY },
  { held: true, finalizedBefore: LATE },
  { held: true, statuses: ["FINALIZED"] },
  { held: true, statuses: ["FINALIZED", "CANCELLED"] },
  { held: true, unblocked: true },
  { held: true, overdue: true },
  { unblocked: true, awaitingApproval: true },
  { unblocked: true, finalizedAfter: EARLY },
  { awaitingApproval: true, finalizedAfter: EARLY },
  { overdue: true, finalizedAfter: EARLY },
  { overdue: true, statuses: ["CANCELLED"] },
  { statuses: ["PENDING"], finalizedAfter: EARLY },
  { statuses: ["PENDING", "CANCELLED"], finalizedBefore: LATE },
  { finalizedAfter: LATE, finalizedBefore: EARLY },
  { dueAfter: LATE, dueBefore: EARLY },
  { createdAfter: LATE, createdBefore: EARLY },
];

const LISTS: [name: string, filters: BatchFilters][] = [
  ["all batches", {}],
  ["a contract", { contractAddress: contract }],
  ["a recipient", { recipient: wallet(1) }],
  ["unusual batches", { unusual: true }],
  ["a submitter", { submittedBy: "token:test" }],
];

describe.each(LISTS)("of %s", (_, scope) => {
  test("three batches are listed without other filters", async () => {
    expect((await listConsoleBatches(context(), scope)).batches).toHaveLength(3);
  });

  test.each(CONTRADICTIONS)("none match filters that contradict each other: %j", async (contradiction) => {
    const filters = { ...scope, ...contradiction };
    for (const sort of LIST_SORT_NAMES) {
      if (sort.startsWith("FINALIZED") && !listsFinalized(filters)) continue;
      const { batches, cursor } = await listConsoleBatches(context(), { ...filters, sort });
      expect([batches, cursor], sort).toEqual([[], null]);
    }
    expect((await totalBatches(context(), filters)).types).toEqual([]);
    expect(await countNewer(context(), filters, { createdAt: EARLY })).toBe(0);
    const { pointTypes, unusual } = await countFacets(context(), filters);
    expect([...Object.values(pointTypes), unusual]).toEqual([0, 0, 0]);
    for await (const page of exportBatches(context(), filters)) expect(page).toEqual([]);
  });
});
