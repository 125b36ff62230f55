import postgres from "postgres";
import { beforeAll, expect, test } from "vitest";
import { sumPointsPerDay } from "@/server/contracts/read-contracts";
import { listIssuances } from "@/server/ledger/issuances";
import {
  explain,
  nodesOf,
  type PlanNode,
  packedRows,
  rowsRead,
  statementsOf,
  TRANSFER_ROWS,
} from "@/testing/explain";
import { wallet, withoutTriggers } from "@/testing/factories";
import { useLedger } from "@/testing/use-ledger";
import type { ServiceContext } from "../kernel/context";
import { SEARCHED_MAX } from "../kernel/search-in-steps";
import { addressToBytes } from "../kernel/values/addresses";
import { describeRecipient } from "./describe-recipient";
import { exportReceived } from "./export-received";
import { findUnindexedBatches } from "./index-recipients";
import { labelsOf } from "./labels";
import { listReceived, sumReceived } from "./list-received";
import { COUNT_MAX } from "./schema";

const { db, context, newContract } = useLedger({ balances: false });
let contract: string;

const BUSY = wallet(1);
const BUSY_TRANSFERS = 25_000;

/**
 * 100,000 batches of ten contracts with two transfers each. Every fourth batch pays the busy address. All but the last 100
 * are in the recipient index. The last 1,000 are pending.
 */
beforeAll(async () => {
  // Without timeouts, because on a busy machine this many rows exceed the statement timeout.
  const sql = postgres(db.url, { max: 1 });
  const contracts: string[] = [];
  for (let i = 0; i < 10; i++) contracts.push(await newContract());
  contract = contracts[3]!;
  const list = contracts.map((address) => `decode('${address.slice(2)}', 'hex')`).join(", ");
  await withoutTriggers(
    { ...db, sql },
    `insert into batches (contract_address, id, point_type, status, points, transfer_count, wait_seconds, digest,
       submitted_by, submit_request_id, created_at, finalize_at, updated_at, finalized_at)
     select (array[${list}])[1 + n % 10], 'b-' || n, 'PHASE2_POINTS', case when n > 99000 then 'PENDING' else 'FINALIZED' end::batch_status,
       2, 2, 60, sha256(n::text::bytea), 'token:test', 'r', at, at + interval '1 minute',
       case when n <= 99000 then at end, case when n <= 99000 then at end
     from (select n, timestamptz '2026-03-01T00:00:00Z' + n * interval '10 seconds' as at from generate_series(1, 100000) n) made
     order by n;
     ${packedRows(`select seq as batch_seq, contract_address, position,
       case when position = 0 and seq % 4 = 0 then decode('${BUSY.slice(2)}', 'hex')
         else substring(sha256((seq % 5000 + position * 7919)::text::bytea) for 20) end as to_address, 1::numeric as points
     from batches, generate_series(0, 1) position`)};
     insert into recipient_transfers select t.to_address, b.created_at, b.seq, b.contract_address, t.points
     from batches b join ${TRANSFER_ROWS} t on t.batch_seq = b.seq and t.contract_address = b.contract_address
     where b.id not in (select 'b-' || n from generate_series(99901, 100000) n);
     update recipient_progress set (created_at, batch_seq) = (select created_at, seq from batches where id = 'b-99900');
     insert into issuances (contract_address, point_type, points, batch_seq)
     select contract_address, point_type, points, seq from batches order by seq`,
  );
  await sql`vacuum analyze`;
  await sql.end();
}, 120_000);

/** All plan nodes of the statements that `run` executes. */
async function nodesSentBy(run: (ctx: ServiceContext) => Promise<unknown>): Promise<PlanNode[]> {
  const { sent } = await statementsOf(db.url, (sql) => run({ ...context(), db: { ...db, sql } }));
  const statements = sent.filter(({ text }) =>
    /from (?:batches|recipient_transfers)|recipient_labels/.test(text),
  );
  expect(statements.length).toBeGreaterThan(0);
  const plans = await Promise.all(
    statements.map(({ text, values }) => explain(db, text, values, { analyze: true })),
  );
  return nodesOf(plans.flat());
}

/** Half the rows of the smallest table. A shard here is small enough that a generic plan may scan it. */
const SCANNED_MAX = 50_000;
const BIG = ["batches", "batch_transfers", "recipient_transfers", "issuances"];
/** Full table scans. A shard scan that a limit ends early does not count. */
const scansOf = (nodes: PlanNode[]) =>
  nodes
    .filter((node) => node["Node Type"] === "Seq Scan" && BIG.includes(node["Relation Name"]!))
    .filter((node) => node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0) > SCANNED_MAX)
    .map((node) => node["Relation Name"]);
const reads = {
  "the first page of a busy address": (ctx) => listReceived(ctx, { address: BUSY }),
  "the totals of a busy address": (ctx) => describeRecipient(ctx, { address: BUSY }),
  "the first page of an unpaid address": (ctx) => listReceived(ctx, { address: wallet(2) }),
  "the totals of an unpaid address": (ctx) => describeRecipient(ctx, { address: wallet(2) }),
  "the unindexed batches that pay an address": (ctx) => findUnindexedBatches(ctx.db, addressToBytes(BUSY)),
  "a page of the export": (ctx) => exportReceived(ctx, { address: BUSY }).then((pages) => pages.next()),
  "issuances of a contract": (ctx) => listIssuances(ctx, { contractAddress: contract }),
  "a busy address's transfers of one type": (ctx) =>
    listReceived(ctx, { address: BUSY, pointType: "PHASE2_POINTS" }),
  "a busy address's transfers in a period without any": (ctx) =>
    listReceived(ctx, { address: BUSY, createdBefore: "2026-01-01" }),
  "the sums of a busy address's transfers in an hour": (ctx) =>
    sumReceived(ctx, {
      address: BUSY,
      createdAfter: "2026-03-05T00:00:00Z",
      createdBefore: "2026-03-05T01:00:00Z",
    }),
  "points per day of a contract": (ctx) =>
    sumPointsPerDay(ctx, {
      contractAddress: contract,
      dayStarts: ["2026-03-03T00:00:00Z", "2026-03-04T00:00:00Z"],
    }),
  "the labels of a batch's recipients": (ctx) =>
    labelsOf(
      ctx.db,
      Array.from({ length: 2000 }, (_, at) => wallet(at)),
    ),
} satisfies Record<string, (ctx: ServiceContext) => Promise<unknown>>;

test.each(Object.entries(reads))("reading %s scans no whole table and reads few rows", async (name, read) => {
  const nodes = await nodesSentBy(read);
  expect(scansOf(nodes)).toEqual([]);
  // The totals count up to 10,000 indexed transfers, and read the pending ones.
  expect(rowsRead(nodes, BIG)).toBeLessThan(
    name.includes("totals of a busy") ? 12_000 : /export|per day/.test(name) ? 2000 : 600,
  );
});

/** Puts the oldest batches on hold, from the first one that pays the busy address, and back. */
async function whileOnHold(batches: number, check: () => Promise<void>): Promise<void> {
  const held = `contract_address is not null and seq >= (select min(batch_seq) from recipient_transfers
      where to_address = decode('${BUSY.slice(2)}', 'hex')) and id in (select 'b-' || n from generate_series(1, ${batches + 4}) n)`;
  const set = (values: string) =>
    withoutTriggers(db, `update batches set ${values} where ${held}; analyze batches`);
  await set(
    "status = 'PENDING', finalized_at = null, updated_at = null, held_at = created_at, held_by = 'staff:a', hold_reason = 'a'",
  );
  try {
    await check();
  } finally {
    await set(
      "status = 'FINALIZED', finalized_at = finalize_at, updated_at = finalize_at, held_at = null, held_by = null, hold_reason = null",
    );
  }
}

test("the totals of a busy address read a bounded number of rows and are exact when batches have been on hold since before them all", async () => {
  await whileOnHold(400, async () => {
    const nodes = await nodesSentBy((ctx) => describeRecipient(ctx, { address: BUSY }));
    expect(scansOf(nodes)).toEqual([]);
    // The newest transfers and their batches, the older batches, and the transfers of the pending ones.
    expect(rowsRead(nodes, BIG)).toBeLessThan(2 * COUNT_MAX + 3000);
    const { points, isWhole } = await describeRecipient(context(), { address: BUSY });
    expect(isWhole).toBe(true);
    expect(points.PHASE2_POINTS).toMatchObject({ held: "101", heldTransfers: 101, pending: "250" });
  });
});

test("a page with filters reads one range of the recipient index, in steps, and its cursor continues where it stopped", async () => {
  // No batch is cancelled, so this looks at everything.
  const filters = { address: BUSY, statuses: ["CANCELLED" as const] };
  const nodes = await nodesSentBy((ctx) => listReceived(ctx, filters));
  expect(scansOf(nodes)).toEqual([]);
  // Each transfer and its batch once, and in each of seven steps the 100 batches that are not indexed yet.
  expect(rowsRead(nodes, BIG)).toBeLessThan(2 * (SEARCHED_MAX + 5000) + 7 * 1500);
  const first = await listReceived(context(), filters);
  expect(first).toMatchObject({ transfers: [], searchedTo: expect.any(String) });
  expect(first.cursor).not.toBeNull();
  const rest = await nodesSentBy((ctx) => listReceived(ctx, { ...filters, cursor: first.cursor }));
  expect(rowsRead(rest, BIG)).toBeLessThan(2 * (BUSY_TRANSFERS - SEARCHED_MAX) + 3 * 1500);
  expect(await listReceived(context(), { ...filters, cursor: first.cursor })).toMatchObject({
    transfers: [],
    cursor: null,
    searchedTo: null,
  });
});

test("the sums of a busy address read its newest 10,000 transfers, and are minimums", async () => {
  const nodes = await nodesSentBy((ctx) => sumReceived(ctx, { address: BUSY, pointType: "PHASE2_POINTS" }));
  expect(scansOf(nodes)).toEqual([]);
  expect(rowsRead(nodes, BIG)).toBeLessThan(3 * COUNT_MAX);
  const sums = await sumReceived(context(), { address: BUSY, pointType: "PHASE2_POINTS" });
  expect(sums.isWhole).toBe(false);
  expect(sums.points.PHASE2_POINTS.transfers).toBe(COUNT_MAX + 1);
});

test("a page of a busy address does not look up more than 10,000 batches above it, and has no running sums below them", async () => {
  const ctx = context();
  const next = (cursor: string | null) => listReceived(ctx, { address: BUSY, limit: 200, cursor });
  let page = await next(null);
  for (let above = 200; above < COUNT_MAX; above += 200) {
    page = await next(page.cursor);
    expect(page.transfers[0]!.running).not.toBeNull();
  }
  for (let more = 0; more < 10; more++) page = await next((await next(page.cursor)).cursor);
  const { cursor } = page;
  const nodes = await nodesSentBy((watching) => listReceived(watching, { address: BUSY, cursor }));
  expect(scansOf(nodes)).toEqual([]);
  // In place of an index scan, Postgres may sort somewhat more than the limit.
  expect(rowsRead(nodes, BIG)).toBeLessThan(2 * COUNT_MAX);
  expect((await next(cursor)).transfers.map(({ running }) => running)).toEqual(Array(200).fill(null));
});
