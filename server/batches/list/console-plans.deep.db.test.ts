import { drizzle } from "drizzle-orm/postgres-js";
import { beforeAll, describe, expect, test } from "vitest";
import { previewBulk } from "@/server/batches/bulk/preview-bulk";
import { cancelBatch } from "@/server/batches/change/cancel-batch";
import { describeReversible, dryRunReversal } from "@/server/batches/reversal/prepare-reversal";
import { reverseBatch } from "@/server/batches/reversal/reverse-batch";
import { findSuspects } from "@/server/batches/review/review-new-batches";
import { sumPointsPerDay } from "@/server/contracts/read-contracts";
import { edgesFrom, readFunds, readPending } from "@/server/forecast/make-forecast";
import { addressToBytes } from "@/server/kernel/address-bytes";
import type { ServiceContext } from "@/server/kernel/context";
import { listIssuances } from "@/server/ledger/issuances";
import { figuresQuery } from "@/server/metrics/answer-metrics";
import { RANGES } from "@/server/operations/chart-ranges";
import { bucketsQuery, dueHours } from "@/server/operations/measure";
import { stateQuery } from "@/server/operations/read-state";
import { describePayout } from "@/server/payouts/read-payout";
import { describeRecipient } from "@/server/recipients/describe-recipient";
import { findBatches, findRecipients } from "@/server/search/find";
import { readFacts } from "@/server/statements/make-statement";
import { BATCH_STATUSES } from "@/terms/batch-terms";
import {
  type BatchFilters,
  COUNT_MAX,
  LIST_SORT_NAMES,
  LIST_SORTS,
  type ListSort,
  listsFinalized,
} from "@/terms/filters";
import {
  explain,
  nodesOf,
  type PlanNode,
  packedRows,
  recordStatements,
  rowsRead,
  statementsOf,
  TRANSFER_ROWS,
} from "@/testing/explain";
import { LIMITS, wallet, withoutTriggers } from "@/testing/factories";
import { useLedger } from "@/testing/use-ledger";
import { countFacets, totalBatches } from "./count-batches";
import { exportBatches } from "./export-batches";
import { listBatches, sortsWhole } from "./list-batches";
import { listConsoleBatches } from "./list-console-batches";
import { readPayouts } from "./read-payouts";

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
       submitted_by, submit_request_id, created_at, finalize_at, updated_at, lease_until, finalized_at, cancelled_at, held_at, held_by, hold_reason, reverses_seq)
     select ${address}, 'b-' || n, case when n % 10 = 0 then 'PHASE2_GOLD' else 'PHASE2_POINTS' end::point_type, status, n % 1000 + 1,
       1, 60, sha256(n::text::bytea),
       case when n % 5000 = 7 then 'staff:rare@example.com' else 'token:test' end, 'r', at, at + interval '1 minute', case when status <> 'PENDING' then at end,
       case when status = 'FINALIZING' then at end, case when status = 'FINALIZED' then at end, case when status = 'CANCELLED' then at end,
       case when is_held then at end, case when is_held then 'x' end, case when is_held then 'x' end,
       case when n % 1000 = 504 then 1 end
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
  await db.sql`insert into batch_reviews (contract_address, batch_seq, created_at, level, findings, reviewed_at, due_at)
    select contract_address, seq, created_at, 'unusual', '{}', created_at, finalize_at from batches where seq % 20 = 7`;
  await db.sql`insert into payout_parts (contract_address, batch_seq, payout_id)
    select contract_address, seq, 'p-' || seq / 120 from batches where seq % 2 = 1`;
  await db.sql`insert into batch_metadata (contract_address, batch_seq, key, value, created_at)
    select contract_address, seq, n, 'x', created_at from batches, unnest(array[1,1000]) n where seq % n = 0`;
  await db.sql`insert into issuances (contract_address, point_type, points, batch_seq, created_at)
    select contract_address, point_type, points, seq, created_at from batches`;
  await db.sql`insert into accounts (address, point_type, received)
    select decode(lpad(to_hex(n), 40, '0'), 'hex'), 'PHASE2_POINTS', 5 from generate_series(0, 4999) n`;
  await db.sql`vacuum analyze`;
});

/** Scans of whole tables. Only a count that reaches its cap long before the end may use one. */
const wholeScans = (plan: PlanNode[]) =>
  plan.filter(
    (node) =>
      node["Node Type"] === "Seq Scan" &&
      ["batches", "batch_transfers", "recipient_transfers"].includes(node["Relation Name"] ?? "") &&
      (node["Relation Name"] !== "batches" || node["Plan Rows"] < COUNT_MAX),
  );

/** Counts may read all unusual batches up to the cap. A page must not. */
const scansReviews = (plan: PlanNode[]) =>
  plan.some((node) => node["Node Type"] === "Seq Scan" && node["Relation Name"] === "batch_reviews");

/** The plan nodes of each statement that a query sends about batches. */
async function plansOf(run: (ctx: ServiceContext) => Promise<unknown>): Promise<PlanNode[][]> {
  const { db: recorded, sent } = recordStatements(db);
  await run({ ...context(), db: recorded });
  return Promise.all(sent.map(async ({ text, values }) => nodesOf(await explain(db, text, values))));
}

const sortsOf = (filters: BatchFilters): ListSort[] =>
  LIST_SORT_NAMES.filter((sort) => listsFinalized(filters) || LIST_SORTS[sort].by !== "finalizedAt");

const FILTERS: [string, BatchFilters][] = [
  ["nothing", {}],
  ["one status", { statuses: ["CANCELLED"] }],
  ["overdue", { overdue: true }],
  ["held", { held: true }],
  ["awaiting approval", { awaitingApproval: true }],
  ["the next to be finalized", { unblocked: true }],
  ["a type", { pointType: "PHASE2_GOLD" }],
  ["a payout", { payoutId: "p-300" }],
  ["a time", { createdAfter: "2026-03-20", createdBefore: "2026-03-21" }],
  ["the start of an ID", { idPrefix: "b-4242" }],
  ["a recipient", { recipient: wallet(42) }],
  ["a recipient that was never paid", { recipient: wallet(0xdead) }],
  ["a minimum amount", { minimumPoints: "1000" }],
  ["due times", { dueAfter: "2026-03-20", dueBefore: "2026-03-21" }],
  [
    "an old hour of finalizing",
    { finalizedAfter: "2026-03-02T01:00:00Z", finalizedBefore: "2026-03-02T02:00:00Z" },
  ],
  ["a person who submits rarely", { submittedBy: "staff:rare@example.com" }],
  ["reversals", { reversals: true }],
  ["an unusual review", { unusual: true }],
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
    "filtered by %s scans no whole table in any order, and neither do its counts and totals",
    async (_name, filters) => {
      const query = { ...filters, ...scope() };
      const pages = [
        ...(await plansOf((ctx) => listBatches(ctx, { ...query, limit: 100 }))),
        ...(await plansOf((ctx) => listBatches(ctx, { ...query, limit: 100, sort: "ASC" }))),
      ];
      const plans = [
        ...pages,
        ...(await plansOf((ctx) => countFacets(ctx, query))),
        ...(await plansOf((ctx) => totalBatches(ctx, query))),
      ];
      for (const sort of sortsOf(query))
        plans.push(...(await plansOf((ctx) => listConsoleBatches(ctx, { ...query, limit: 100, sort }))));
      expect(plans.length).toBeGreaterThanOrEqual(12);
      for (const plan of plans) expect(wholeScans(plan)).toEqual([]);
      expect(pages.some(scansReviews)).toBe(false);
    },
  );
});

const readsBatches = (plan: PlanNode[]) => plan.some((node) => node["Relation Name"] === "batches");

test("batches that are finalized next are one range of the finalizer's own index", async () => {
  const query = { unblocked: true, sort: "DUE" as const, limit: 20 };
  const { cursor } = await listConsoleBatches(context(), query);
  for (const at of [null, cursor]) {
    const [plan, ...others] = (
      await plansOf((ctx) => listConsoleBatches(ctx, { ...query, cursor: at }))
    ).filter(readsBatches);
    expect(others).toEqual([]);
    expect(plan!.flatMap((node) => node["Index Name"] ?? [])).toContain("batches_due");
    expect(plan!.filter((node) => node["Relation Name"] === "batches")).toHaveLength(1);
    expect(wholeScans(plan!)).toEqual([]);
  }
});

/** The rows that each statement about batches reads from the table, the first page and the next. */
async function rowsReadBy(query: BatchFilters & { sort: ListSort }): Promise<number[]> {
  const { cursor } = await listConsoleBatches(context(), { ...query, limit: 100 });
  expect(cursor).not.toBeNull();
  const { db: recorded, sent } = recordStatements(db);
  for (const at of [null, cursor])
    await listConsoleBatches({ ...context(), db: recorded }, { ...query, limit: 100, cursor: at });
  const plans = await Promise.all(
    sent.map(async ({ text, values }) => nodesOf(await explain(db, text, values, { analyze: true }))),
  );
  return plans.filter(readsBatches).map((plan) => rowsRead(plan, ["batches"]));
}

test.each<[ListSort, BatchFilters]>([
  ["DESC", { statuses: ["CANCELLED"] }],
  ["ASC", { pointType: "PHASE2_GOLD" }],
  ["DESC", { statuses: ["CANCELLED", "PENDING"], pointType: "PHASE2_POINTS" }],
  ["FINALIZED", { statuses: ["FINALIZED"] }],
  ["FINALIZED_DESC", { finalizedAfter: "2026-03-20", finalizedBefore: "2026-03-21" }],
  ["DUE", { statuses: ["PENDING"] }],
  ["DUE_DESC", { statuses: ["PENDING", "FINALIZING"] }],
  ["DUE", { unblocked: true }],
])("a list that is sorted whole reads little more than its pages %s of %j", async (sort, filters) => {
  expect(sortsWhole(filters, sort)).toBe(true);
  // Two types or kinds of open batches are read apart. Batches on hold and claimed ones are few, and sorted.
  for (const rows of await rowsReadBy({ ...filters, sort })) expect(rows).toBeLessThan(700);
});

test.each<[ListSort, BatchFilters]>([
  ["TRANSFERS_DESC", {}],
  ["AMOUNT_DESC", { contractAddress: contract }],
  ["DUE", { pointType: "PHASE2_POINTS" }],
  ["DUE_DESC", {}],
  ["AMOUNT", {}],
  ["AMOUNT", { statuses: ["FINALIZED"] }],
  ["AMOUNT", { minimumPoints: "500" }],
  ["DUE", { dueAfter: "2026-03-20", dueBefore: "2026-03-31" }],
])(
  "a list that no index can sort sorts the newest 10,000, reads at most twice as many, and says so: %s of %j",
  async (sort, filters) => {
    expect(sortsWhole(filters, sort)).toBe(false);
    for (const rows of await rowsReadBy({ ...filters, sort }))
      expect(rows).toBeLessThanOrEqual(COUNT_MAX * 2);
    const page = await listConsoleBatches(context(), { ...filters, sort, limit: 100 });
    expect(page.sortedAmong).toBe(COUNT_MAX);
    const next = await listConsoleBatches(context(), { ...filters, sort, limit: 100, cursor: page.cursor });
    expect(next.sortedAmong).toBe(COUNT_MAX);
  },
);

test("the counts beside a filter that no index has read the newest 10,000 batches once and say that there is more", async () => {
  const { counts, isWhole } = await countFacets(context(), { submittedBy: "staff:rare@example.com" });
  const sum = BATCH_STATUSES.reduce((total, status) => total + counts[status], 0);
  expect([sum, isWhole]).toEqual([2, false]);
  const plans = await plansOf((ctx) => countFacets(ctx, { submittedBy: "token:test" }));
  const reads = plans.flat().filter((node) => node["Relation Name"] === "batches");
  expect(reads.map((node) => node["Node Type"])).toEqual(["Index Scan"]);
});

test.each<[BatchFilters, number]>([
  [{ submittedBy: "staff:rare@example.com" }, BATCHES / 5000],
  [{ submittedBy: "staff:rare@example.com", contractAddress: contract, pointType: "PHASE2_POINTS" }, 12],
  [{ submittedBy: "staff:rare@example.com", statuses: ["CANCELLED"] }, 0],
  [{ minimumPoints: "1000.5" }, 0],
  [{ dueAfter: "2026-03-02", dueBefore: "2026-03-02T00:10:00Z" }, 14],
])(
  "a filter that no index has reads a bounded number of batches for a page, and pages find every match: %j",
  async (filters, matches) => {
    const found: string[] = [];
    let cursor: string | null = null;
    do {
      const { db: recorded, sent } = recordStatements(db);
      const query = { ...filters, limit: 100, cursor };
      const page: Awaited<ReturnType<typeof listBatches>> = await listBatches(
        { ...context(), db: recorded },
        query,
      );
      const plans = sent.map(({ text, values }) => explain(db, text, values, { analyze: true }));
      expect(rowsRead(nodesOf((await Promise.all(plans)).flat()), ["batches"])).toBeLessThan(45_000);
      found.push(...page.rows.map(({ id }) => id));
      cursor = page.cursor;
    } while (cursor !== null);
    expect(new Set(found).size).toBe(found.length);
    expect(found).toHaveLength(matches);
  },
);

const CHOSEN: BatchFilters[] = [
  {},
  { statuses: ["PENDING"], pointType: "PHASE2_POINTS" },
  { recipient: wallet(0x77) },
  { unusual: true },
  { held: true },
  { overdue: true },
  { idPrefix: "b-42" },
  { submittedBy: "staff:rare@example.com" },
  { minimumPoints: "990" },
  { reversals: true },
  { payoutId: "p-300" },
  { finalizedAfter: "2026-03-20T00:00:00Z", createdBefore: "2026-03-25T00:00:00Z" },
  { held: true, statuses: ["FINALIZED"] },
  { metadata: { 1: "x" }, statuses: ["PENDING"] },
  { contractAddress: contract, metadata: { 1: "x" }, minimumPoints: "990" },
];

const hold = (filters: BatchFilters) => ({ action: "hold" as const, chosen: { filters } });
const tooMany = (filters: BatchFilters, most: number) => (ctx: ServiceContext) =>
  expect(previewBulk(ctx, hold(filters), most)).rejects.toThrow("batches match. Narrow the filters");

test.each(CHOSEN)(
  "a bulk action has all batches that match %j, or is refused as too many",
  async (filters) => {
    const ann = context("staff:ann@example.com");
    let matching = 0;
    for await (const page of exportBatches(context(), filters)) matching += page.length;
    if (!matching) return await expect(previewBulk(ann, hold(filters))).rejects.toThrow("No batch matches");
    expect((await previewBulk(ann, hold(filters))).batches).toBe(matching);
    await tooMany(filters, matching - 1)(ann);
  },
);

const NOW = "2026-03-30T20:00:00Z";
const DAYS = ["2026-03-15", "2026-03-16"];
const keyOf = (batchId: string) => ({ contractAddress: contract, batchId });
type Read = (ctx: ServiceContext) => PromiseLike<unknown>;
/** What else reads batches, and the most rows that it may read. A change is only planned. */
const READS: Record<string, [run: Read, rowsMax?: number]> = {
  "a dry run of taking a batch back": [(ctx) => dryRunReversal(ctx, LIMITS, keyOf("b-59002")), 10],
  "taking a batch back": [(ctx) => reverseBatch(ctx, LIMITS, { ...keyOf("b-59002"), reversalId: "back" })],
  "what is already taken back of a batch": [(ctx) => describeReversible(ctx, LIMITS, keyOf("b-59002")), 10],
  "cancelling a reversal": [(ctx) => cancelBatch(ctx, keyOf("back"))],
  "reviewing 20 new batches": [
    async ({ db }) => {
      const newest = await db.sql<{ contractAddress: Buffer; seq: string; createdAt: string }[]>`
        select contract_address as "contractAddress", seq::text, created_at::text as "createdAt" from batches
        where seq > ${BATCHES - 20} and seq <= ${BATCHES}`;
      await findSuspects(db, newest);
    },
    20 * 2000,
  ],
  "a statement of two days": [
    ({ db }) => readFacts(db.sql, addressToBytes(contract), { from: "2026-03-29T00:00:00Z", until: NOW }),
    4 * 4000,
  ],
  "a forecast's pending batches": [
    ({ db }) => readPending(db.sql, addressToBytes(contract), edgesFrom(NOW)),
    BATCHES / 250,
  ],
  "a forecast's last seven days": [({ db }) => readFunds(db.sql, addressToBytes(contract), NOW), 14_200],
  "a batch by the start of its ID": [({ db }) => findBatches(db, { batch: null, id: "b-42" }), 25],
  "a recipient by the start of their address": [
    ({ db }) => findRecipients(db, { address: { start: `${"0".repeat(37)}1`, end: "" }, label: null }),
    2 * 2000 + 100,
  ],
  "a recipient by both ends of their address": [
    ({ db }) => findRecipients(db, { address: { start: `${"0".repeat(37)}1`, end: "12" }, label: null }),
    2 * 2000 + 100,
  ],
  "a contract's issuances": [(ctx) => listIssuances(ctx, { contractAddress: contract }), 600],
  "a contract's points of a day": [
    (ctx) => sumPointsPerDay(ctx, { contractAddress: contract, dayStarts: DAYS }),
    2100,
  ],
  "the figures of /metrics": [({ db }) => figuresQuery(db.sql), 3 * COUNT_MAX],
  "a payout of sixty batches": [
    (ctx) => describePayout(ctx, { contractAddress: contract, payoutId: "p-300" }),
    60 * 10,
  ],
  "the payouts of a page of a hundred batches, each of another payout": [
    (ctx) => {
      const seqs = Array.from({ length: 100 }, (_, at) => BigInt(at * 120 + 1));
      const row = { contractAddress: addressToBytes(contract), pointType: "PHASE2_POINTS" as const };
      return readPayouts(
        ctx,
        seqs.map((seq) => ({ ...row, seq })),
      );
    },
    // Those with a cancelled batch are read once more, for who has not been paid.
    2 * 100 * 60 + 100,
  ],
  "the payout of a single batch, among all of its contract": [
    (ctx) =>
      readPayouts(ctx, [
        { contractAddress: addressToBytes(contract), pointType: "PHASE2_POINTS", seq: 121n },
      ]),
    2 * 60,
  ],
  "what an unpaid recipient waits for": [(ctx) => describeRecipient(ctx, { address: wallet(0xdead) }), 700],
  "a bulk action by a rare pair": [tooMany({ metadata: { 1: "x", 1000: "x" } }, 9), 60],
  "a bulk action by a rare status": [tooMany({ metadata: { 1: "x" }, statuses: ["PENDING"] }, 9), 300],
  "the finalizing state": [({ db }) => stateQuery(db.sql), 1000],
  "what is due in 24 hours": [({ db }) => dueHours(db.sql), 1000],
  ...Object.fromEntries(
    RANGES.map((range) => [`a chart of ${range}`, [({ db }) => bucketsQuery(db.sql, range), 1000]]),
  ),
};

test.each(Object.entries(READS))(
  "reading %s scans no whole table and reads few rows",
  async (_, [run, rowsMax]) => {
    const { sent } = await statementsOf(db.url, (sql) =>
      run({ ...context(), db: { ...db, sql, orm: drizzle(sql) } }),
    );
    expect(sent.length).toBeGreaterThan(0);
    const tables = ["batches", "batch_transfers", "recipient_transfers", "issuances", "accounts"];
    const planned = sent.filter(({ text }) => !/^(?:begin|commit|rollback)/.test(text));
    const plans = planned.map(({ text, values }) =>
      explain(db, text, values, { analyze: rowsMax !== undefined }),
    );
    const nodes = nodesOf((await Promise.all(plans)).flat());
    const whole = nodes.filter(
      (node) => node["Node Type"] === "Seq Scan" && tables.includes(node["Relation Name"] ?? ""),
    );
    expect(whole).toEqual([]);
    // Before Postgres 18, an index that begins with the type is read whole without one.
    const ofTypes = nodes.filter((node) => /type_status$/.test(node["Index Name"] ?? ""));
    for (const node of ofTypes) expect(node["Index Cond"]).toContain("point_type");
    if (rowsMax !== undefined) expect(rowsRead(nodes, tables)).toBeLessThanOrEqual(rowsMax);
  },
);
