import { beforeAll, describe, expect, test } from "vitest";
import { countNewRecipients } from "@/server/batches/review/find-repeats";
import type { ServiceContext } from "@/server/kernel/context";
import { describeRecipient } from "@/server/recipients/describe-recipient";
import { exportReceived } from "@/server/recipients/export-received";
import { BLOCK_TRANSFERS, listReceived, sumReceived } from "@/server/recipients/list-received";
import { readHolding } from "@/server/recipients/read-holding";
import { type BatchFilters, COUNT_MAX } from "@/terms/filters";
import {
  explain,
  nodesOf,
  type PlanNode,
  packedRows,
  recordStatements,
  rowsRead,
  statementsOf,
} from "@/testing/explain";
import { wallet, withoutTriggers } from "@/testing/factories";
import { useLedger } from "@/testing/use-ledger";
import { countFacets, countNewer, totalBatches } from "./count-batches";
import { exportBatches } from "./export-batches";
import { listBatches } from "./list-batches";
import { listConsoleBatches } from "./list-console-batches";

const { db, context, useContract, submit } = useLedger({ balances: false });
const contract = useContract();
const BUSY = wallet(7);
const BATCHES = 45_000;
/** Older than what one page searches, and the only one of its status. */
const CANCELLED_SEQ = 5;
/** The newest ones are not in the recipient index yet. */
const UNINDEXED = 20;
const DAY_TWO = "2026-03-02T00:00:00Z";

/** 45,000 batches that all pay one address. */
beforeAll(async () => {
  for (let from = 1; from <= BATCHES; from += 15_000)
    await withoutTriggers(
      db,
      `insert into batches (contract_address, id, point_type, status, points, transfer_count, wait_seconds, digest,
         submitted_by, submit_request_id, created_at, finalize_at, updated_at, finalized_at, cancelled_at)
       select decode('${contract.slice(2)}', 'hex'), 'b-' || n, 'PHASE2_POINTS', status, 1, 1, 60, sha256(n::text::bytea),
         'token:test', 'r', at, at + interval '1 minute', at, case when status = 'FINALIZED' then at end, case when status = 'CANCELLED' then at end
       from (select n, (case when n = ${CANCELLED_SEQ} then 'CANCELLED' else 'FINALIZED' end)::batch_status as status,
         timestamptz '2026-03-01T00:00:00Z' + n / 3 * interval '7 seconds' as at
         from generate_series(${from}, ${from + 14_999}) n) made`,
    );
  await withoutTriggers(
    db,
    packedRows(`select seq as batch_seq, contract_address, 0 as position, decode('${BUSY.slice(2)}', 'hex') as to_address, points
      from batches where seq > ${BATCHES - UNINDEXED}`),
  );
  await db.sql`insert into recipient_transfers (to_address, created_at, batch_seq, contract_address, points)
    select decode(${BUSY.slice(2)}::text, 'hex'), created_at, seq, contract_address, points from batches where seq <= ${BATCHES - UNINDEXED}`;
  await db.sql`update recipient_progress r set created_at = b.created_at, batch_seq = b.seq from batches b where b.seq = ${BATCHES - UNINDEXED}`;
  await db.sql`vacuum analyze`;
});

type Run = (ctx: ServiceContext) => Promise<unknown>;

/** The plan nodes of all statements of a query. */
async function nodesRun(run: Run): Promise<PlanNode[]> {
  const { db: recorded, sent } = recordStatements(db);
  await run({ ...context(), db: recorded });
  const plans = await Promise.all(
    sent.map(({ text, values }) => explain(db, text, values, { analyze: true })),
  );
  return plans.flatMap(nodesOf);
}

/** Rows of `batches` and the recipient index that the statements of a query read. */
const rowsReadBy = async (run: Run) => rowsRead(await nodesRun(run), ["batches", "recipient_transfers"]);

async function pages(filters: BatchFilters, sort: "ASC" | "DESC", limit: number, most = 1000) {
  const out: number[][] = [];
  let cursor: string | null = null;
  do {
    const page = await listBatches(context(), { ...filters, sort, limit, cursor });
    out.push(page.rows.map(({ seq }) => Number(seq)));
    cursor = page.cursor;
  } while (cursor && out.length < most);
  return out;
}

test.each(["ASC", "DESC"] as const)(
  "the list of an address that 45,000 batches pay reads a page, and not all of them: %s",
  async (sort) => {
    const first = await listBatches(context(), { recipient: BUSY, sort, limit: 50 });
    for (const cursor of [null, first.cursor])
      expect(
        await rowsReadBy((ctx) => listBatches(ctx, { recipient: BUSY, sort, limit: 50, cursor })),
      ).toBeLessThan(500);
  },
);

test.each(["ASC", "DESC"] as const)(
  "the list of an address that 45,000 batches pay has every batch once and in order, whether indexed or newer: %s",
  async (sort) => {
    const since = "2026-03-02T04:00:00Z";
    const list = await pages({ recipient: BUSY, createdAfter: since }, sort, 200);
    const seqs = list.flat();
    const expected = await db.sql<{ seq: string }[]>`
        select seq from batches where created_at > ${since}::timestamptz order by created_at, seq`;
    const wanted = expected.map(({ seq }) => Number(seq));
    expect(wanted.length).toBeGreaterThan(1000);
    expect(seqs).toEqual(sort === "ASC" ? wanted : wanted.reverse());
  },
);

test("the list of an address that 45,000 batches pay stops a search after 20,000 transfers, and its cursor continues until the batch is found", async () => {
  const filters: BatchFilters = { recipient: BUSY, statuses: ["CANCELLED"] };
  expect(await rowsReadBy((ctx) => listBatches(ctx, filters))).toBeLessThan(30_000);
  const list = await pages(filters, "DESC", 50, 10);
  expect(list.length).toBeGreaterThan(1);
  expect(list.length).toBeLessThanOrEqual(Math.ceil(BATCHES / 20_000) + 1);
  expect(list.flat()).toEqual([CANCELLED_SEQ]);
});

test("the counts beside it are whole within the cap; beyond it they read the newest 10,000 transfers, and say so", async () => {
  const facets = await countFacets(context(), { recipient: BUSY });
  expect(facets).toMatchObject({
    isWhole: false,
    counts: { FINALIZED: COUNT_MAX + 1, CANCELLED: 0, PHASE2_POINTS: COUNT_MAX + 1 },
  });
  expect(await rowsReadBy((ctx) => countFacets(ctx, { recipient: BUSY }))).toBeLessThan(2.5 * COUNT_MAX);
  const first = await countFacets(context(), { recipient: BUSY, createdBefore: "2026-03-01T01:00:00Z" });
  const [row] = await db.sql<{ count: number }[]>`
    select count(*)::int as count from batches where created_at < '2026-03-01T01:00:00Z'`;
  expect(first).toMatchObject({ isWhole: true, counts: { FINALIZED: row!.count - 1, CANCELLED: 1 } });
  const newest = { createdAt: "2026-03-01T01:00:00.000Z", id: "b-1", contractAddress: contract };
  expect(await countNewer(context(), { recipient: BUSY }, newest)).toBe(1001);
  expect(await rowsReadBy((ctx) => countNewer(ctx, { recipient: BUSY }, newest))).toBeLessThan(4000);
});

/** What else reads the transfers of an address, and the most rows that it may read of them. */
const READS: Record<string, [run: Run, rowsMax: number]> = {
  // A page counts in the index up to the cap, then sorts a block: each transfer and its batch once, and those
  // that are not indexed yet.
  "a page of its transfers": [
    (ctx) => listReceived(ctx, { address: BUSY }),
    COUNT_MAX + 2 * BLOCK_TRANSFERS + 600,
  ],
  "a page of one type": [
    (ctx) => listReceived(ctx, { address: BUSY, pointType: "PHASE2_POINTS" }),
    2 * COUNT_MAX + 600,
  ],
  "a period without any": [(ctx) => listReceived(ctx, { address: BUSY, createdBefore: "2026-01-01" }), 600],
  "a status without any": [
    (ctx) => listReceived(ctx, { address: BUSY, statuses: ["FINALIZING"] }),
    2 * COUNT_MAX + 600,
  ],
  "its holding a day after the first": [
    (ctx) => readHolding(ctx, { address: BUSY, at: DAY_TWO }),
    2 * 37_100 + 600,
  ],
  "its totals": [(ctx) => describeRecipient(ctx, { address: BUSY }), 2 * COUNT_MAX + 3000],
  "its sums": [(ctx) => sumReceived(ctx, { address: BUSY, pointType: "PHASE2_POINTS" }), 3 * COUNT_MAX],
  "a page of its export": [(ctx) => exportReceived(ctx, { address: BUSY }).then((all) => all.next()), 2000],
  // The plan has the mean of 2,000 probes, rounded.
  "how many recipients are new": [
    ({ db }) => {
      const transfers = Array.from({ length: 2000 }, (_, n) => ({ toAddress: wallet(n), points: "1" }));
      const before = { createdAt: "2100-01-01T00:00:00Z", seq: "9223372036854775807" };
      return countNewRecipients(db, { contract: Buffer.alloc(20, 7), transfers, ...before });
    },
    300,
  ],
};

test.each(Object.entries(READS))(
  "of an address that 45,000 batches pay, %s reads few rows",
  async (_, [run, rowsMax]) => {
    const { sent } = await statementsOf(db.url, (sql) => run({ ...context(), db: { ...db, sql } }));
    const plans = sent.map(({ text, values }) => explain(db, text, values, { analyze: true }));
    const read = rowsRead(nodesOf((await Promise.all(plans)).flat()), ["batches", "recipient_transfers"]);
    expect(read).toBeLessThan(rowsMax);
  },
);

test("each batch of a holding is looked up by its key, however many there are", async () => {
  const { sent } = await statementsOf(db.url, (sql) =>
    readHolding({ ...context(), db: { ...db, sql } }, { address: BUSY, at: DAY_TWO }),
  );
  const plans = await Promise.all(sent.map(({ text, values }) => explain(db, text, values)));
  const lookups = nodesOf(plans.flat()).filter(
    (node) => node["Relation Name"] === "batches" && node["Index Name"] === "batches_contract_address_seq_pk",
  );
  expect(lookups).toHaveLength(1);
});

test("the sums of an address that 45,000 batches pay are minimums, and it has no balances, but its holding at an instant", async () => {
  const sums = await sumReceived(context(), { address: BUSY, pointType: "PHASE2_POINTS" });
  expect([sums.isWhole, sums.points.PHASE2_POINTS.transfers]).toEqual([false, COUNT_MAX + 1]);
  const { transfers } = await listReceived(context(), { address: BUSY });
  expect(transfers.map(({ running }) => running)).toEqual(Array(50).fill(null));
  const { points } = await readHolding(context(), { address: BUSY, at: DAY_TWO });
  const [row] = await db.sql<{ points: string }[]>`
    select sum(points) as points from batches where status = 'FINALIZED' and finalized_at <= ${DAY_TWO}`;
  expect(points.PHASE2_POINTS.balance).toBe(String(Number(row!.points)));
});

test.each([
  ["in a filtered list", "2026-03-01T21:23:20Z"],
  ["in the whole one", undefined],
])(
  "%s, transfers of more than one block are listed once each, although others arrive meanwhile",
  async (_, createdAfter) => {
    const filters = { address: BUSY, createdAfter, limit: 200 };
    const expected = await db.sql<{ id: string }[]>`
      select id from batches where created_at > ${createdAfter ?? "-infinity"}::timestamptz
      order by created_at desc, seq desc`;
    expect(expected.length).toBeGreaterThan(COUNT_MAX + 1000);
    const found: string[] = [];
    let cursor: string | null = null;
    do {
      const page = await listReceived(context(), { ...filters, cursor });
      found.push(...page.transfers.map(({ batchId }) => batchId));
      cursor = page.cursor;
      if (found.length === filters.limit)
        await submit(contract, [[BUSY, "1"]], { batchId: `arrives-${expected.length}` });
    } while (cursor);
    expect(found).toEqual(expected.map(({ id }) => id));
  },
);

describe("the batches of a busy recipient, if the only match is older than the newest 10,000", () => {
  const filters: BatchFilters = { recipient: BUSY, statuses: ["CANCELLED"] };

  test("are not a plain empty list: it says how many it sorted", async () => {
    const page = await listConsoleBatches(context(), { ...filters, sort: "AMOUNT_DESC" });
    expect(page).toMatchObject({ batches: [], cursor: null, sortedAmong: COUNT_MAX });
  });

  test("do not add up to nothing: the totals say that they are not whole", async () => {
    expect(await totalBatches(context(), filters)).toEqual({ sums: [], isWhole: false });
  });

  test.each(["AMOUNT_DESC", "DESC"] as const)("are exported, however old: %s", async (sort) => {
    const seqs: string[] = [];
    for await (const page of exportBatches(context(), filters, sort)) seqs.push(...page.map(({ id }) => id));
    expect(seqs).toEqual([`b-${CANCELLED_SEQ}`]);
  });
});

test.each([
  ["before the first page", 0],
  ["after it", 200],
])(
  "transfers of an address that passes 10,000 %s, with some that are not indexed yet, are listed once each",
  async (_, shown) => {
    const address = wallet(8 + shown);
    const [oldest, late] = [BATCHES - UNINDEXED - COUNT_MAX + 5, BATCHES - 5000];
    await db.sql`insert into recipient_transfers (to_address, created_at, batch_seq, contract_address, points)
      select decode(${address.slice(2)}::text, 'hex'), created_at, seq, contract_address, points from batches
      where seq between ${oldest} and ${BATCHES - UNINDEXED}`;
    // Credited after all others: the first page of a single block has it, although it is not of the newest.
    await withoutTriggers(db, `update batches set finalized_at = '2026-04-01' where seq = ${late}`);
    const arrive = async () => {
      for (let n = 1; n <= 10; n++)
        await submit(contract, [[address, "1"]], { batchId: `passes-${shown}-${n}` });
    };
    const found: string[] = [];
    let cursor: string | null = null;
    do {
      if (found.length === shown) await arrive();
      const page = await listReceived(context(), { address, limit: 200, cursor });
      found.push(...page.transfers.map(({ batchId }) => batchId));
      cursor = page.cursor;
    } while (cursor);
    if (shown > 0) expect(found[0]).toBe(`b-${late}`);
    const indexed = Array.from({ length: COUNT_MAX - 4 }, (_each, at) => `b-${oldest + at}`);
    expect(found.filter((id) => id.startsWith("b-")).sort()).toEqual(indexed.sort());
    expect(found.length - indexed.length).toBe(shown === 0 ? 10 : 0);
  },
);
