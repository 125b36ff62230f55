import { cpSync, rmSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createDatabase } from "@/db/client";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "@/db/embedded/start-embedded";
import { migrateDatabase } from "@/db/migrate";
import { closeDatabases, database } from "@/server/kernel/database";
import { toDomainError } from "@/server/kernel/to-domain-error";
import { answerMetrics } from "@/server/metrics/answer-metrics";
import { examine } from "@/server/ops/doctor";
import { cleanEmbedded, embeddedFolder, query } from "@/testing/embedded-folder";
import { batchOf, newContract, submit } from "@/testing/factories";
import { FaultProxy } from "@/testing/fault-proxy";
import { forgetSingles } from "@/testing/rest-request";
import { readiness } from "./health";
import { startScheduler } from "./start-service";

let servers: EmbeddedPostgres[];
let proxy: FaultProxy;
let contract: string;

/** Two servers with the same rows behind one address, which leads to the first. */
beforeAll(async () => {
  const dirs = [await embeddedFolder(), await embeddedFolder()] as const;
  const first = await startEmbeddedPostgres({ dataDir: dirs[0], asSuperuser: true });
  await migrateDatabase({ url: first.url, timeoutSeconds: 10 });
  const db = createDatabase({ url: first.url, poolMax: 1, timeoutSeconds: 10, pooler: "none" });
  contract = await newContract(db);
  await db.close();
  await first.stop();
  rmSync(path.join(dirs[1], "postgres"), { recursive: true });
  cpSync(path.join(dirs[0], "postgres"), path.join(dirs[1], "postgres"), { recursive: true });
  servers = [];
  for (const dataDir of dirs) servers.push(await startEmbeddedPostgres({ dataDir, asSuperuser: true }));
  proxy = await FaultProxy.start(servers[0]!.url);
  vi.stubEnv("DATABASE_URL", proxy.through(servers[0]!.url));
  for (const name of ["AUTH_SECRET", "CRON_SECRET", "METRICS_TOKEN"]) vi.stubEnv(name, `${name}-of-this-run`);
  vi.stubEnv("LOG_LEVEL", "silent");
  forgetSingles();
});
afterAll(async () => {
  await closeDatabases();
  vi.unstubAllEnvs();
  forgetSingles();
  await proxy.stop();
  for (const server of servers) await server.stop();
  await cleanEmbedded();
});

const pay = () => submit(database(), batchOf(contract, [[1, "1"]]));

test("when the primary becomes read-only and the address leads to another one, writes and the finalizer continue there without a restart", async () => {
  const scheduler = startScheduler();
  await Promise.all(Array.from({ length: 20 }, pay));
  expect(await readiness()).toMatchObject({ ready: true, checks: { database: "up" } });

  await query(servers[0]!.url, "alter system set default_transaction_read_only = on");
  await query(servers[0]!.url, "select pg_reload_conf()");
  await vi.waitFor(async () =>
    expect(await readiness()).toMatchObject({ ready: false, checks: { database: "read-only" } }),
  );
  const refused = await pay().catch(toDomainError);
  expect(refused).toMatchObject({
    code: "unavailable",
    message: "The database is read-only. The request was not applied.",
  });

  proxy.leadTo(servers[1]!.url);
  await vi.waitFor(pay, { timeout: 10_000, interval: 200 });
  await vi.waitFor(async () => expect(await readiness()).toMatchObject({ ready: true }), { timeout: 10_000 });
  await vi.waitFor(
    async () =>
      expect(
        await query(servers[1]!.url, "select count(*)::int from batches where status <> 'FINALIZED'"),
      ).toEqual([{ count: 0 }]),
    { timeout: 10_000 },
  );
  await scheduler.stop();
});

test("while a synchronous standby is away, the service is not ready, and doctor says why", async () => {
  const set = async (words: string) => {
    await query(servers[1]!.url, `alter system ${words}`);
    await query(servers[1]!.url, "select pg_reload_conf()");
  };
  const commits = async () => (await examine(database())).find(({ what }) => what === "commits");
  await set("set synchronous_standby_names = 'other'");
  const submitted = pay();
  await vi.waitFor(async () =>
    expect(await commits()).toMatchObject({ ok: false, detail: expect.stringContaining("“other”") }),
  );
  await vi.waitFor(
    async () => expect(await readiness()).toMatchObject({ ready: false, checks: { database: "waiting" } }),
    { timeout: 60_000 },
  );
  expect(await commits()).toMatchObject({
    ok: false,
    detail: expect.stringMatching(/^sessions that wait for a synchronous standby: \d+; start the standby/),
  });
  await set("reset synchronous_standby_names");
  await submitted.catch(toDomainError);
  await vi.waitFor(async () => expect(await readiness()).toMatchObject({ ready: true }), { timeout: 60_000 });
  expect(await commits()).toMatchObject({ ok: true });
});

test("readiness and metrics answer within two seconds while the database is silent", async () => {
  await proxy.set("blackhole");
  const late = () => sleep(2000, "late", { ref: false });
  const state = await Promise.race([readiness(), late()]);
  expect(state).toMatchObject({ ready: false, checks: { database: "away", schema: "unknown" } });
  const request = new Request("http://service.test/metrics", {
    headers: { authorization: `Bearer ${process.env.METRICS_TOKEN}` },
  });
  const reply = await Promise.race([answerMetrics(request), late()]);
  expect(await (reply as Response).text()).toContain("ptb_database_up 0");
  await proxy.set("ok");
});
