import { expect, test } from "vitest";
import { useDatabase } from "@/testing/test-database";
import { DELETED_ROWS_MAX, deleteExpired, RUNS_KEPT_DAYS } from "./delete-expired";

/** Thousands of rows per statement, which may take long beside other tests. */
const db = useDatabase({ timeoutSeconds: 50 });

const addRuns = (daysAgo: number, count: number) => db.sql`
  insert into finalizer_runs (started_by, started_at, finished_at, batches_finalized, transfers_settled, lag_seconds_max)
  select ${`${daysAgo} days ago`}, at, at, 1, 1, 0
  from (select now() - make_interval(days => ${daysAgo}) as at) instant, generate_series(1, ${count})`;
const addDeliveries = (daysAgo: number, count: number) => db.sql`
  insert into webhook_deliveries (contract_address, endpoint_id, event, batch_seq, event_at, next_attempt_at)
  select ${Buffer.alloc(20, 1)}, gen_random_uuid(), 'batch.created', n, now() - make_interval(days => ${daysAgo}), null
  from generate_series(1, ${count}) n`;

const addRequests = (daysAgo: number, count: number) => db.sql`
  insert into request_log (contract_address, created_at, operation, status, request_id, caller, client_network)
  select ${Buffer.alloc(20, 1)}, now() - make_interval(days => ${daysAgo}), 'PUT /r', 400, n::text, 'token:t', 'unknown'
  from generate_series(1, ${count}) n`;

/** What is left: runs by age, deliveries, requests and rate limits. */
async function left() {
  const runs = await db.sql<{ started_by: string; count: number }[]>`
    select started_by, count(*)::int from finalizer_runs group by 1`;
  const countOf = async (table: "webhook_deliveries" | "request_log" | "rate_limits") =>
    (await db.sql`select count(*)::int as count from ${db.sql(table)}`)[0]!.count as number;
  return [
    Object.fromEntries(runs.map(({ started_by, count }) => [started_by, count])),
    await countOf("webhook_deliveries"),
    await countOf("request_log"),
    await countOf("rate_limits"),
  ];
}

test("a sweep deletes what expired, oldest first, in bounded chunks: one of each kind without time left, nothing when stopping", async () => {
  await addRuns(RUNS_KEPT_DAYS + 9, DELETED_ROWS_MAX);
  await addRuns(RUNS_KEPT_DAYS + 1, 7);
  await addRuns(RUNS_KEPT_DAYS - 1, 3);
  await addDeliveries(31, DELETED_ROWS_MAX + 7);
  await addDeliveries(29, 3);
  await addRequests(31, DELETED_ROWS_MAX + 5);
  await addRequests(29, 2);
  await db.sql`insert into rate_limits (key, points, expire)
    select 'caller ' || n, 1, 0 from generate_series(1, ${DELETED_ROWS_MAX + 9}) n`;
  expect(await deleteExpired(db, { budgetSeconds: 0 })).toBe(false);
  const rest = [{ "31 days ago": 7, "29 days ago": 3 }, 7 + 3, 5 + 2, 9];
  expect(await left()).toEqual(rest);
  expect(await deleteExpired(db, { budgetSeconds: 50, isStopping: () => true })).toBe(false);
  expect(await left()).toEqual(rest);
  expect(await deleteExpired(db, { budgetSeconds: 50 })).toBe(true);
  expect(await left()).toEqual([{ "29 days ago": 3 }, 3, 2, 0]);
});

test("who has seen what is kept for 90 days, whether it was an alert or batches that waited", async () => {
  await db.sql`insert into alert_views (alert_id, seen_by, seen_at)
    select gen_random_uuid(), days || ' days ago', now() - make_interval(days => days)
    from unnest(array[89, 91]) as days`;
  expect(await deleteExpired(db)).toBe(true);
  expect([...(await db.sql`select seen_by from alert_views`)]).toEqual([{ seen_by: "89 days ago" }]);
});
