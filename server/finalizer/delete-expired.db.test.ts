import { expect, test } from "vitest";
import { useDatabase } from "@/testing/test-database";
import { deleteExpired, ROWS_MAX, RUNS_KEPT_DAYS } from "./delete-expired";

/** Thousands of rows per statement, which may take long beside other tests. */
const db = useDatabase({ timeoutSeconds: 50 });

const addRuns = (daysAgo: number, count: number) => db.sql`
  insert into finalizer_runs (started_by, started_at, finished_at, batches_finalized, transfers_settled, lag_seconds_max)
  select ${`${daysAgo} days ago`}, at, at, 1, 1, 0
  from (select now() - make_interval(days => ${daysAgo}) as at) instant, generate_series(1, ${count})`;

async function runsLeft(): Promise<Record<string, number>> {
  const rows = await db.sql<{ started_by: string; count: number }[]>`
    select started_by, count(*)::int from finalizer_runs group by 1`;
  return Object.fromEntries(rows.map(({ started_by, count }) => [started_by, count]));
}

const addDeliveries = (daysAgo: number, count: number) => db.sql`
  insert into webhook_deliveries (contract_address, endpoint_id, event, batch_seq, event_at, next_attempt_at)
  select ${Buffer.alloc(20, 1)}, gen_random_uuid(), 'batch.created', n, now() - make_interval(days => ${daysAgo}), null
  from generate_series(1, ${count}) n`;

const countOf = async (table: "webhook_deliveries" | "rate_limits") =>
  (await db.sql`select count(*)::int as count from ${db.sql(table)}`)[0]!.count as number;

test("finalizer runs are kept for a month, and older ones are deleted in bounded chunks, oldest first", async () => {
  await addRuns(RUNS_KEPT_DAYS + 9, ROWS_MAX);
  await addRuns(RUNS_KEPT_DAYS + 1, 7);
  await addRuns(RUNS_KEPT_DAYS - 1, 3);
  expect(await deleteExpired(db, { budgetSeconds: 0 })).toBe(false);
  expect(await runsLeft()).toEqual({ "31 days ago": 7, "29 days ago": 3 });
  expect(await deleteExpired(db)).toBe(true);
  expect(await runsLeft()).toEqual({ "29 days ago": 3 });
});

test("one sweep deletes the webhook log and rate limit counters, even if they exceed one chunk", async () => {
  await addDeliveries(31, 2 * ROWS_MAX + 7);
  await addDeliveries(29, 3);
  await db.sql`insert into rate_limits (key, points, expire)
    select 'caller ' || n, 1, 0 from generate_series(1, ${ROWS_MAX + 7}) n`;
  expect(await deleteExpired(db, { budgetSeconds: 50 })).toBe(true);
  expect([await countOf("webhook_deliveries"), await countOf("rate_limits")]).toEqual([3, 0]);
});

test("a sweep without time left deletes one chunk of each kind, and a stopping one deletes nothing more", async () => {
  await db.sql`truncate webhook_deliveries, rate_limits`;
  await addDeliveries(31, 2 * ROWS_MAX);
  await db.sql`insert into rate_limits (key, points, expire)
    select 'caller ' || n, 1, 0 from generate_series(1, ${2 * ROWS_MAX}) n`;
  expect(await deleteExpired(db, { budgetSeconds: 0 })).toBe(false);
  expect([await countOf("webhook_deliveries"), await countOf("rate_limits")]).toEqual([ROWS_MAX, ROWS_MAX]);
  expect(await deleteExpired(db, { budgetSeconds: 50, isStopping: () => true })).toBe(false);
  expect([await countOf("webhook_deliveries"), await countOf("rate_limits")]).toEqual([ROWS_MAX, ROWS_MAX]);
});
