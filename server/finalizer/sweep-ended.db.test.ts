import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestDatabase, testDatabase } from "../testing/test-database";
import { RUNS_KEPT_DAYS, sweepEnded } from "./sweep-ended";

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db?.drop());

const addRuns = (daysAgo: number, count: number) => db.sql`
  insert into finalizer_runs (started_by, started_at, finished_at, batches_finalized, transfers_settled, lag_seconds_max)
  select ${`${daysAgo} days ago`}, at, at, 1, 1, 0
  from (select now() - make_interval(days => ${daysAgo}) as at) instant, generate_series(1, ${count})`;

async function runsLeft(): Promise<Record<string, number>> {
  const rows = await db.sql<{ started_by: string; count: number }[]>`
    select started_by, count(*)::int from finalizer_runs group by 1`;
  return Object.fromEntries(rows.map(({ started_by, count }) => [started_by, count]));
}

test("runs of the finalizer are kept for a month, and older ones removed in bounded pieces, oldest first", async () => {
  await addRuns(RUNS_KEPT_DAYS + 9, 5000);
  await addRuns(RUNS_KEPT_DAYS + 1, 7);
  await addRuns(RUNS_KEPT_DAYS - 1, 3);
  await sweepEnded(db);
  expect(await runsLeft()).toEqual({ "31 days ago": 7, "29 days ago": 3 });
  await sweepEnded(db);
  expect(await runsLeft()).toEqual({ "29 days ago": 3 });
});
