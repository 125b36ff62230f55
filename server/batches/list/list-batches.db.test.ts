import { beforeAll, expect, test } from "vitest";
import { createDatabase, type Database } from "@/db/client";
import { cancelBatch } from "@/server/batches/change/cancel-batch";
import { addressToBytes } from "@/server/kernel/address-bytes";
import { type ListedBatch, toTimestamp } from "@/server/kernel/batch-rows";
import { encodeCursor } from "@/server/kernel/cursor";
import { BATCH_STATUSES } from "@/terms/batch-terms";
import { batchOf, shifted, testContext, times, withoutTriggers } from "@/testing/factories";
import { holdSubmit } from "@/testing/races";
import { useLedger } from "@/testing/use-ledger";
import type { BatchFiltersInput } from "./console-schema";
import { type BatchQuery, listBatches } from "./list-batches";

const { db, context, newContract, submit, finalize } = useLedger();
let contracts: string[] = [];
const T1 = "2026-03-01T00:00:02Z";
const T2 = "2026-03-01T00:00:05.000Z";
const SECONDS = 7;

/** 2 × 64 batches of every status and type, created in 7 different seconds, so that most share a creation time. */
beforeAll(async () => {
  contracts = await times(2, () => newContract());
  for (const contractAddress of contracts) {
    for (let i = 0; i < 64; i++) {
      const pointType = i % 3 === 0 ? ("PHASE2_GOLD" as const) : ("PHASE2_POINTS" as const);
      const options = { batchId: `b-${i}`, pointType, secondsToFinalize: i % 4 === 1 ? 0 : 60 };
      await submit(contractAddress, [[100 + (i % 5), `${i + 1}`]], options);
      if (i % 4 === 2) await cancelBatch(context(), { contractAddress, batchId: options.batchId });
    }
  }
  await finalize();
  const march = "timestamptz '2026-03-01T00:00:00Z'";
  await withoutTriggers(
    db,
    `update batches set created_at = ${shifted(march, `seq * 5 % ${SECONDS}`)}, finalize_at = ${shifted(march, `seq * 5 % ${SECONDS} + wait_seconds`)};
     update batches set status = 'FINALIZING', updated_at = now(), claimed_at = now(), lease_until = now(),
       claim_id = md5(id)::uuid where status = 'PENDING' and seq % 2 = 0`,
  );
});

async function pages(query: BatchQuery): Promise<ListedBatch[][]> {
  const out: ListedBatch[][] = [];
  let cursor: string | null = null;
  do {
    const page = await listBatches(context(), { ...query, cursor });
    out.push(page.rows);
    cursor = page.cursor;
    expect(out.length).toBeLessThan(100);
  } while (cursor);
  return out;
}
const seqsOf = (list: ListedBatch[][]) => list.flat().map(({ seq }) => String(seq));

/** What one contract's filters find, by the database alone. */
async function expected(filters: BatchFiltersInput, sort: "ASC" | "DESC"): Promise<string[]> {
  const { contractAddress, pointType = null, statuses: [status = null] = [] } = filters;
  const { createdAfter = "-infinity", createdBefore = "infinity" } = filters;
  const rows = await db.sql<{ seq: string }[]>`
    select seq::text from batches where contract_address = ${addressToBytes(contractAddress!)}
      and (${pointType}::point_type is null or point_type = ${pointType}::point_type)
      and (${status}::batch_status is null or status = ${status}::batch_status)
      and created_at > ${createdAfter}::text::timestamptz and created_at < ${createdBefore}::text::timestamptz
    order by created_at, batches.seq`;
  const seqs = rows.map(({ seq }) => seq);
  return sort === "ASC" ? seqs : seqs.reverse();
}

test("every combination of filters and sorts lists each batch exactly once, in order, and no empty page after another", async () => {
  const seen = { listed: 0, statuses: new Set<string>() };
  for (const pointType of [undefined, "PHASE2_POINTS", "PHASE2_GOLD"] as const)
    for (const status of [undefined, ...BATCH_STATUSES])
      for (const createdAfter of [undefined, T1])
        for (const createdBefore of [undefined, T2])
          for (const sort of ["ASC", "DESC"] as const) {
            const filters: BatchFiltersInput = {
              contractAddress: contracts[0],
              pointType,
              createdAfter,
              createdBefore,
            };
            if (status) filters.statuses = [status];
            const list = await pages({ ...filters, sort, limit: 7 });
            const label = JSON.stringify({ ...filters, sort });
            expect(seqsOf(list), label).toEqual(await expected(filters, sort));
            for (const page of list.slice(0, -1)) expect(page, label).toHaveLength(7);
            if (list.length > 1) expect(list.at(-1)!.length, label).toBeGreaterThan(0);
            if (list[0]!.length > 0) seen.listed++;
            for (const row of list.flat()) seen.statuses.add(row.status);
          }
  expect(seen.statuses.size).toBe(4);
  expect(seen.listed).toBeGreaterThan(80);
});

test("pages have 50 batches unless another size is given, which can change from page to page", async () => {
  for (const limit of [1, 63, 64, 65]) {
    const list = await pages({ contractAddress: contracts[1], limit });
    expect(list).toHaveLength(Math.ceil(64 / limit));
    expect(list.flat()).toHaveLength(64);
  }
  const own = { contractAddress: contracts[0] };
  expect((await listBatches(context(), own)).rows).toHaveLength(50);
  const first = await listBatches(context(), { ...own, limit: 3 });
  const rest = await listBatches(context(), { ...own, limit: 200, cursor: first.cursor });
  expect(seqsOf([first.rows, rest.rows])).toEqual(await expected(own, "DESC"));
  expect(rest.cursor).toBeNull();
});

const ALL = 2 * 64;
const A_SECOND = ALL / SECONDS;
test.each([
  [{ createdAfter: "2026-03-01T00:00:06Z" }, 0],
  [{ createdAfter: "2026-03-01T00:00:05.999Z" }, A_SECOND],
  [{ createdBefore: "2026-03-01T00:00:00Z" }, 0],
  [{ createdBefore: "2026-03-01T00:00:00.0001Z" }, A_SECOND],
  [{ createdAfter: "2026-02-28T23:59:59.9999Z", createdBefore: "2026-03-01T00:00:00.0009Z" }, A_SECOND],
  [{ createdAfter: "2026-03-01T14:00:05+14:00" }, A_SECOND],
  [{ createdBefore: "2026-03-01" }, 0],
  [{ createdAfter: T2, createdBefore: T1 }, 0],
  [{ createdBefore: "9999-12-31T23:59:59.999999999+00:00" }, ALL],
])("both time bounds are exclusive, at any precision: %j", async (filters, about) => {
  const count = (await pages({ ...filters, limit: 200 })).flat().length;
  expect(Math.abs(count - about)).toBeLessThan(1);
});

test("the times of a batch are in UTC, even if a pooler leaves the session in another zone", async () => {
  const url = new URL(db.url);
  url.searchParams.set("options", "-c TimeZone=Asia/Kolkata -c DateStyle=ISO -c search_path=public");
  const pooled = createDatabase({ url: url.href, poolMax: 1, timeoutSeconds: 10, pooler: "transaction" });
  const timesBy = async (from: Database) =>
    (await listBatches(testContext(from), { contractAddress: contracts[0], limit: 1 })).rows.map(
      ({ createdAt, finalizeAt }) => [toTimestamp(createdAt), toTimestamp(finalizeAt)],
    );
  const found = await timesBy(pooled);
  const [session] = await pooled.sql`select now()::text as now`;
  await pooled.close();
  expect(session?.now).toMatch(/\+05:30$/);
  expect(found).toEqual(await timesBy(db));
});

test("a cursor continues in any letter case of the address, and is invalid if forged beyond the year 9999", async () => {
  const list = (contractAddress: string, cursor: string | null, limit: number) =>
    listBatches(context(), { contractAddress, cursor, limit });
  const { cursor } = await list(contracts[0]!, null, 5);
  const upper = `0x${contracts[0]!.slice(2).toUpperCase()}`;
  expect((await list(upper, cursor, 2)).rows).toHaveLength(2);
  const from = (atMs: number) =>
    list(contracts[0]!, encodeCursor({ atMs, seq: 1n }, `contractAddress=${contracts[0]}&sort=DESC`), 200);
  await expect(from(253_402_300_800_000)).rejects.toMatchObject({ code: "invalid_cursor" });
  expect((await from(253_402_300_799_999)).rows).toHaveLength(64);
});

const tick = () => new Promise((resolve) => setTimeout(resolve, 5));
/** Without the batches of the tests above. */
const ids = async (contractAddress: string | undefined, sort: "ASC" | "DESC" = "ASC", from: Database = db) =>
  (
    await listBatches(testContext(from), { contractAddress, sort, limit: 200, createdAfter: "2026-03-02" })
  ).rows.map(({ id }) => id);
/** Stores a batch whose creation time no later one shares. */
async function store(contract: string, batchId: string): Promise<void> {
  await submit(contract, [[1, "1"]], { batchId });
  await tick();
}

test("an ascending reader waits for a batch that is still committing, then gets both in order; others do not wait", async () => {
  const [contract, quick] = [await newContract(), await newContract()];
  await store(contract, "before");
  const inFlight = batchOf(contract, [[1, "1"]], { batchId: "held", pointType: "PHASE2_GOLD" });
  const held = await holdSubmit(db, inFlight);
  await store(contract, "after");
  await store(quick, "seen");
  expect(await ids(contract)).toEqual(["before"]);
  expect(await ids(contract, "DESC")).toEqual(["after", "before"]);
  expect(await ids(quick)).toEqual(["seen"]);
  // A reader across all contracts waits for any submit in flight.
  expect(await ids(undefined)).not.toContain("seen");
  expect(await held.release()).toBe("held");
  await tick();
  expect(await ids(contract)).toEqual(["before", "held", "after"]);
  expect(await ids(undefined)).toEqual(["before", "held", "after", "seen"]);
});
