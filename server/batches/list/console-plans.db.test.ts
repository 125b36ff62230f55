import { beforeAll, describe, expect, test } from "vitest";
import { explain, nodesOf, type PlanNode } from "@/testing/explain";
import { wallet, withoutTriggers } from "@/testing/factories";
import { packedRows, TRANSFER_ROWS } from "@/testing/packed-rows";
import { recordStatements } from "@/testing/sent-statements";
import { useLedger } from "@/testing/use-ledger";
import type { ServiceContext } from "../../kernel/context";
import { type BatchFilters, COUNT_MAX } from "./console-schema";
import { countFacets } from "./count-batches";
import { listBatches } from "./list-batches";
import { refreshBatches } from "./refresh-batches";

const { db, context, useContract } = useLedger({ balances: false });
const contract = useContract();
const BATCHES = 60_000;
const PART = 10_000;

/** One part per statement, since each statement has a time limit. */
async function makePart(from: number): Promise<void> {
  const address = `decode('${contract.slice(2)}', 'hex')`;
  await withoutTriggers(
    db,
    `insert into batches (contract_address, id, point_type, status, points, transfer_count, wait_seconds, digest,
       submitted_by, submit_request_id, created_at, finalize_at, updated_at, lease_until, finalized_at, cancelled_at, held_at, held_by, hold_reason)
     select ${address}, 'b-' || n, case when n % 10 = 0 then 'PHASE2_GOLD' else 'PHASE2_POINTS' end::point_type, status, n % 1000 + 1,
       1, 60, sha256(n::text::bytea), 'token:test', 'r', at, at + interval '1 minute', case when status <> 'PENDING' then at end,
       case when status = 'FINALIZING' then at end, case when status = 'FINALIZED' then at end, case when status = 'CANCELLED' then at end,
       case when is_held then at end, case when is_held then 'x' end, case when is_held then 'x' end
     from (
       select n, status, status = 'PENDING' and n % 2 = 0 as is_held, at from (
         select n, (case when n % 500 in (0, 1) then 'PENDING' when n % 20 = 3 then 'CANCELLED'
           when n % 1000 = 502 then 'FINALIZING' else 'FINALIZED' end)::batch_status as status,
           timestamptz '2026-03-01T00:00:00Z' + n * interval '43 seconds' as at
         from generate_series(${from}, ${from + PART - 1}) n) made) stated`,
  );
  await withoutTriggers(
    db,
    packedRows(`select seq as batch_seq, contract_address, 0 as position,
        decode(lpad(to_hex(seq % 5000), 40, '0'), 'hex') as to_address, points
      from batches where seq between ${from} and ${from + PART - 1}`),
  );
}

/** 60,000 batches of one transfer over a month, of every status. The newest hundred are not yet in the recipient index. */
beforeAll(async () => {
  for (let from = 1; from <= BATCHES; from += PART) await makePart(from);
  await db.sql`insert into recipient_transfers (to_address, created_at, batch_seq, contract_address, points)
    select t.to_address, b.created_at, t.batch_seq, t.contract_address, t.points from ${db.sql.unsafe(TRANSFER_ROWS)} t
    join batches b on b.seq = t.batch_seq and b.contract_address = t.contract_address where b.seq <= 59900`;
  await db.sql`update recipient_progress r set created_at = b.created_at, batch_seq = b.seq from batches b where b.seq = 59900`;
  await db.sql`vacuum analyze batches`;
  await db.sql`vacuum analyze batch_transfers`;
  await db.sql`vacuum analyze recipient_transfers`;
});

/** Scans of whole tables. Only a count that reaches its cap long before the end may use one. */
const wholeScans = (plan: PlanNode[]) =>
  plan.filter(
    (node) =>
      node["Node Type"] === "Seq Scan" &&
      ["batches", "batch_transfers", "recipient_transfers"].includes(node["Relation Name"] ?? "") &&
      (node["Relation Name"] !== "batches" || node["Plan Rows"] < COUNT_MAX),
  );

/** The plan nodes of each statement that a query sends about batches. */
async function plansOf(run: (ctx: ServiceContext) => Promise<unknown>): Promise<PlanNode[][]> {
  const { db: recorded, sent } = recordStatements(db);
  await run({ ...context(), db: recorded });
  return Promise.all(sent.map(async ({ text, values }) => nodesOf(await explain(db, text, values))));
}

const FILTERS: [string, BatchFilters][] = [
  ["nothing", {}],
  ["one status", { statuses: ["CANCELLED"] }],
  ["several statuses", { statuses: ["CANCELLED", "PENDING"] }],
  ["overdue", { overdue: true }],
  ["held", { held: true }],
  ["a type", { pointType: "PHASE2_GOLD" }],
  ["a time", { createdAfter: "2026-03-20", createdBefore: "2026-03-21" }],
  ["the start of an ID", { idPrefix: "b-4242" }],
  ["a recipient", { recipient: wallet(42) }],
  ["a recipient that was never paid", { recipient: wallet(0xdead) }],
  ["a minimum amount", { minimumPoints: "1000" }],
  [
    "all filters together",
    {
      statuses: ["FINALIZED"],
      pointType: "PHASE2_POINTS",
      recipient: wallet(42),
      minimumPoints: "2",
      idPrefix: "b-",
      createdAfter: "2026-03-02",
    },
  ],
];

describe.each([
  ["over all contracts", () => ({})],
  ["of one contract", () => ({ contractAddress: contract })],
] as const)("a list %s", (_, scope) => {
  test.each(FILTERS)(
    "filtered by %s scans no whole table, and neither do its counts",
    async (_name, filters) => {
      const query = { ...filters, ...scope() };
      const plans = [
        ...(await plansOf((ctx) => listBatches(ctx, { ...query, limit: 100 }))),
        ...(await plansOf((ctx) => listBatches(ctx, { ...query, limit: 100, sort: "ASC" }))),
        ...(await plansOf((ctx) => countFacets(ctx, query))),
      ];
      expect(plans.length).toBeGreaterThanOrEqual(3);
      for (const plan of plans) expect(wholeScans(plan)).toEqual([]);
    },
  );
});

test.each([{}, { contractAddress: true }])(
  "overdue batches, longest due first, are read in index order: %j",
  async (scope) => {
    const query = {
      overdue: true,
      sort: "DUE" as const,
      limit: 20,
      ...(scope.contractAddress && { contractAddress: contract }),
    };
    const { cursor } = await listBatches(context(), query);
    const plans = [
      ...(await plansOf((ctx) => listBatches(ctx, query))),
      ...(await plansOf((ctx) => listBatches(ctx, { ...query, cursor }))),
    ];
    expect(plans).toHaveLength(2);
    for (const plan of plans) {
      const indexes = plan.map((node) => node["Index Name"]);
      expect(indexes).toContain("batches_due");
      // Only a few batches are claimed at a time, so any index and a sort are fine.
      expect(indexes.join()).toMatch(/batches_(leased|by_status|by_contract_status)/);
      expect(wholeScans(plan)).toEqual([]);
    }
  },
);

test("a hundred rows are refreshed with one statement, by the ID index", async () => {
  const keys = Array.from({ length: 100 }, (_, n) => ({
    contractAddress: contract,
    batchId: `b-${n * 500 + 1}`,
  }));
  const plans = await plansOf((ctx) => refreshBatches(ctx, keys));
  expect(plans).toHaveLength(1);
  const scans = plans[0]!.filter((node) => node["Relation Name"] === "batches");
  expect(scans.map((node) => node["Node Type"])).toEqual(["Index Scan"]);
});

test("the recipient filter finds exactly the batches in the recipient index and those newer than it", async () => {
  const ids = async (number: number) =>
    (await listBatches(context(), { recipient: wallet(number), limit: 200 })).rows.map(({ seq }) =>
      Number(seq),
    );
  expect(await ids(4950)).toEqual([
    59950, 54950, 49950, 44950, 39950, 34950, 29950, 24950, 19950, 14950, 9950, 4950,
  ]);
  expect((await ids(42)).length).toBe(12);
  expect(await ids(0xdead)).toEqual([]);
});
