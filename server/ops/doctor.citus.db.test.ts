import { expect, test } from "vitest";
import { urlAt, withSql } from "@/testing/citus/make-database";
import { workersOf } from "@/testing/citus/test-databases";
import { useDatabase } from "@/testing/test-database";
import { examineCitus } from "./doctor-citus";

const db = useDatabase();

/** Database settings apply only to new connections, so each check opens its own. */
const said = (): Promise<Record<string, string>> =>
  withSql(db.url, async (sql) => {
    const findings = await examineCitus(sql);
    return Object.fromEntries(
      findings.map(({ what, ok, detail }) => [what, `${ok ? "ok" : "FAIL"} ${detail}`]),
    );
  });

test("doctor reports version, shards, nodes, prepared transactions and settings of a distributed database", async () => {
  const workers = await workersOf(db.url);
  const found = await said();
  expect(found.Citus).toMatch(/^ok version \d+/);
  expect(found.shards).toMatch(/^ok \d+ of each distributed table$/);
  expect(found["Citus settings"]).toBe("ok correct");
  for (const { host, port } of workers)
    expect(found[`node ${host}:${port}`]).toMatch(/^(?:ok|FAIL) worker with \d+ shards/);
  expect(Object.keys(found).filter((what) => what.startsWith("node "))).toHaveLength(workers.length + 1);
});

test("doctor reports a prepared transaction left on a worker", async () => {
  const [worker] = await workersOf(db.url);
  await withSql(urlAt(db.url, worker!), async (sql) => {
    await sql.unsafe("begin; create table left_over (id int); prepare transaction 'left'");
    try {
      expect((await said())["prepared transactions"]).toBe(
        `ok 1 on ${worker!.host}:${worker!.port}, the oldest is 0 s old`,
      );
    } finally {
      await sql.unsafe("rollback prepared 'left'");
    }
  });
});

test("doctor says what to run when a setting was changed or a table is not distributed", async () => {
  const name = new URL(db.url).pathname.slice(1);
  await db.sql.unsafe(`alter database ${name} set citus.multi_shard_modify_mode = 'parallel'`);
  await db.sql`select undistribute_table('recipient_progress')`;
  const later = await said();
  expect(later["Citus settings"]).toBe(
    `FAIL run on the coordinator: alter database ${name} set citus.multi_shard_modify_mode = 'sequential'`,
  );
  expect(later.shards).toBe(
    "FAIL recipient_progress not distributed yet; run `npm run -s ops -- distribute`",
  );
});
