import { beforeAll, describe, expect, test } from "vitest";
import { exportAudit } from "@/server/audit/list-audit";
import { exportBulkItems } from "@/server/batches/bulk/jobs";
import type { BatchFiltersInput } from "@/server/batches/list/console-schema";
import { totalBatches } from "@/server/batches/list/count-batches";
import { exportBatches } from "@/server/batches/list/export-batches";
import { addressToBytes } from "@/server/kernel/address-bytes";
import { exportReceived } from "@/server/recipients/export-received";
import { exportTransfers } from "@/server/statements/export-transfers";
import { LIST_SORT_NAMES, LIST_SORTS, type ListSort, listsFinalized } from "@/terms/filters";
import { packedRows } from "./explain";
import { wallet, withoutTriggers } from "./factories";
import { useLedger } from "./use-ledger";

/** One more than a list sorts. */
const COUNT = 10_001;
const PAYEE = wallet(7);
const JOB = "01900000-0000-7000-8000-000000000001";
const MARCH = { from: "2026-03-01T00:00:00.000Z", to: "2026-04-01T00:00:00.000Z" };

const { db, context, useContract } = useLedger({ balances: false });
const contract = useContract();

/** Batches that all pay one address, many with equal times and amounts; an audit log and a job as long. */
beforeAll(async () => {
  await withoutTriggers(
    db,
    `insert into batches (contract_address, id, point_type, status, points, transfer_count, wait_seconds,
       digest, submitted_by, submit_request_id, created_at, finalize_at, updated_at, finalized_at)
     select decode('${contract.slice(2)}', 'hex'), 'b-' || n, 'PHASE2_POINTS', 'FINALIZED',
       1 + n * 7 % 97, 1 + n % 5, 60, sha256(n::text::bytea), 'token:test', 'r', at,
       at + n * 13 % 499 * interval '1 minute', at,
       at + n * 31 % 1009 * interval '1 second'
     from (select n, timestamptz '2026-03-02T00:00:00Z' + n / 3 * interval '7 seconds' as at
       from generate_series(1, ${COUNT}) n) made;
     ${packedRows(`
       select seq as batch_seq, contract_address, 0 as position,
         decode('${PAYEE.slice(2)}', 'hex') as to_address, points
       from batches`)}`,
  );
  await db.sql`insert into recipient_transfers (to_address, created_at, batch_seq, contract_address, points)
    select ${addressToBytes(PAYEE)}, created_at, seq, contract_address, points from batches`;
  await db.sql`update recipient_progress p set (created_at, batch_seq) =
    (select created_at, seq from batches order by created_at desc, seq desc limit 1)`;
  await db.sql`insert into audit_log (actor, action, target)
    select 'bulk', 'token.create', 'contract:' || n from generate_series(1, ${COUNT}::int) n`;
  await db.sql`
    insert into bulk_job_items (job_id, position, contract_address, batch_id, point_type, points,
      transfer_count)
    select ${JOB}, row_number() over (order by seq) - 1,
      contract_address, id, point_type, points, transfer_count
    from batches`;
  await db.sql`vacuum analyze`;
});

async function rowsOf<Row>(pages: AsyncIterable<readonly Row[]>): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const page of pages) rows.push(...page);
  return rows;
}

const COLUMNS = {
  createdAt: "created_at",
  finalizeAt: "finalize_at",
  finalizedAt: "finalized_at",
  points: "points",
  transferCount: "transfer_count",
  risk: "points",
};

/** The ids in an order, by the database alone. */
async function sortedIds(sort: ListSort): Promise<string[]> {
  const { by, descending } = LIST_SORTS[sort];
  const order = descending ? "desc" : "asc";
  const rows = await db.sql.unsafe(`select id from batches order by ${COLUMNS[by]} ${order}, seq ${order}`);
  return rows.map(({ id }) => id);
}

const CREATED = { createdAfter: MARCH.from, createdBefore: MARCH.to };
const DUE = { dueAfter: MARCH.from, dueBefore: MARCH.to };
const FINALIZED = { finalizedAfter: MARCH.from, finalizedBefore: MARCH.to };

/** Filters, orders of their list, and the order of the export if the list cannot be sorted whole. */
const EXPORTS: [filters: BatchFiltersInput, sorts: readonly ListSort[], otherwise: ListSort][] = [
  [{}, LIST_SORT_NAMES, "DESC"],
  [DUE, ["DESC", "AMOUNT"], "DESC"],
  [FINALIZED, ["AMOUNT_DESC"], "FINALIZED_DESC"],
  [{ ...CREATED, contractAddress: contract }, ["AMOUNT_DESC"], "DESC"],
  [{ statuses: ["FINALIZED"] }, ["FINALIZED"], "DESC"],
  [{ recipient: PAYEE }, ["AMOUNT"], "DESC"],
];
/** Whether an index has the order, or the time that is read instead has. */
function isKept(filters: BatchFiltersInput, sort: ListSort, otherwise: ListSort): boolean {
  const { by } = LIST_SORTS[sort];
  return by === LIST_SORTS[otherwise].by || (by === "finalizedAt" && filters.statuses !== undefined);
}

describe.each(EXPORTS)("of 10,001 batches filtered by %j", (filters, sorts, otherwise) => {
  test.each(sorts.filter((sort) => LIST_SORTS[sort].by !== "finalizedAt" || listsFinalized(filters)))(
    "sorted by %s, the export has every one once, in that order or by time",
    async (sort) => {
      const ids = (await rowsOf(exportBatches(context(), filters, sort))).map(({ id }) => id);
      expect(ids).toHaveLength(COUNT);
      expect(ids).toEqual(await sortedIds(isKept(filters, sort, otherwise) ? sort : otherwise));
    },
  );
});

describe("of 10,001 rows, all are in the export of", () => {
  test.each(["created", "finalized"] as const)("a contract's transfers by %s time", async (by) => {
    const ids: string[] = [];
    for await (const batch of await exportTransfers(context(), { contractAddress: contract, by, ...MARCH }))
      ids.push(batch.batchId);
    expect(ids).toEqual(await sortedIds(by === "created" ? "ASC" : "FINALIZED"));
  });

  test("an address's transfers", async () => {
    const rows = await rowsOf(await exportReceived(context(), { address: PAYEE }));
    expect(rows.map(({ batchId }) => batchId)).toEqual(await sortedIds("ASC"));
    const [{ points } = {}] = await db.sql`select sum(points)::bigint::text as points from batches`;
    expect(rows.at(-1)!.running.PHASE2_POINTS).toBe(points);
  });

  test("the audit log", async () => {
    const rows = await rowsOf(exportAudit(context(), { actor: "bulk" }));
    expect(rows.map(({ target }) => target)).toEqual(
      Array.from({ length: COUNT }, (_, n) => `contract:${COUNT - n}`),
    );
  });

  test("a job's report", async () => {
    const rows = await rowsOf(exportBulkItems(context(), { jobId: JOB }));
    expect(rows.map(({ batchId }) => batchId)).toEqual(Array.from({ length: COUNT }, (_, n) => `b-${n + 1}`));
    // As it is now, not as the job left it.
    expect(new Set(rows.map(({ status }) => status))).toEqual(new Set(["FINALIZED"]));
  });
});

test("totals of 10,001 batches add up the newest 10,000 and say that these are not all", async () => {
  const totals = await totalBatches(context(), { contractAddress: contract });
  const [newest] = await db.sql`
    select count(*)::int as batches, sum(transfer_count)::text as transfers,
      trim_scale(sum(points))::text as points
    from (select * from batches order by created_at desc, seq desc limit 10000) as newest`;
  expect(totals).toMatchObject({ isWhole: false, sums: [newest] });
});
