import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { answerCron } from "@/server/host/answer-cron";
import { answerReadyz, readiness } from "@/server/host/health";
import { handleRest } from "@/server/rest/handler";
import { consoleContext } from "@/server/trpc/console-endpoint";
import type { DomainError } from "@/terms/problems";
import { toRestRequest } from "@/testing/rest-request";
import { useLedger } from "@/testing/use-ledger";
import { single } from "./process";

const CONTRACT = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const METRICS_TOKEN = "metrics-token-of-this-test";
const WAITS = "The service is waiting for a database migration.";

const { db } = useLedger({ serves: true });
/** The last migration, as stored in the database. */
let last: { hash: string; created_at: string };

beforeAll(async () => {
  vi.stubEnv("METRICS_TOKEN", METRICS_TOKEN);
  const rows = await db.sql<(typeof last)[]>`
    delete from drizzle.__drizzle_migrations where id = (select max(id) from drizzle.__drizzle_migrations)
    returning hash, created_at`;
  last = rows[0]!;
});
afterAll(() => vi.unstubAllEnvs());

const ask = (path: string) =>
  handleRest(
    toRestRequest({ method: "GET", path, headers: [["authorization", "Bearer ptb_none"]], body: [] }),
  );
const balances = () => ask(`/v1/contracts/${CONTRACT}/point-balances`);
const readyz = (authorization: string | null) =>
  answerReadyz(
    new Request("http://service.test/readyz", { headers: authorization ? { authorization } : {} }),
  );
const cron = () =>
  answerCron(
    new Request("http://service.test/api/cron/finalize", {
      headers: { authorization: "Bearer cron-secret-of-this-test" },
    }),
    "request-1",
  );

test("an outdated schema blocks /v1, the cron route and the console, and readiness reports why", async () => {
  expect(await readiness()).toMatchObject({ ready: false, checks: { database: "up", schema: "behind" } });
  for (const reply of [await balances(), await cron()]) {
    expect([reply.status, reply.headers.get("retry-after")]).toEqual([503, "5"]);
    expect(await reply.json()).toMatchObject({ code: "unavailable", detail: WAITS });
  }
  await expect(consoleContext("request-1")).rejects.toThrow(WAITS);
  expect((await ask("/v1/openapi.json")).status).toBe(200);
});

test("/readyz answers strangers that it is not ready, and shows why only with the metrics token", async () => {
  for (const authorization of [null, "Bearer something-else-entirely", `Basic ${METRICS_TOKEN}`]) {
    const refused = await readyz(authorization).catch((error: DomainError) => error);
    expect(refused).toMatchObject({ code: "unavailable", message: "The service is not ready." });
    expect((refused as DomainError).options.extra).toEqual({ ready: false });
  }
  await expect(readyz(`Bearer ${METRICS_TOKEN}`)).rejects.toMatchObject({
    message: "The database schema is behind. Run this version's migrations.",
    options: { extra: { ready: false, checks: { database: "up", schema: "behind" } } },
  });
});

test("once the schema is current, requests are served without further checks", async () => {
  await db.sql`insert into drizzle.__drizzle_migrations (hash, created_at) values (${last.hash}, ${last.created_at})`;
  expect((await balances()).status).toBe(401);
  expect(single<{ isCurrent: boolean }>("schema", () => ({ isCurrent: false })).isCurrent).toBe(true);
  expect(await (await cron()).json()).toMatchObject({ success: true });
  expect(await readyz(null)).toEqual({ ready: true });
  expect(await readyz(`Bearer ${METRICS_TOKEN}`)).toMatchObject({
    ready: true,
    checks: { schema: "current" },
  });
});

test("/readyz reads no batches, which may be on a worker that does not answer", async () => {
  await db.sql.begin(async (tx) => {
    await tx`lock table batches in access exclusive mode`;
    for (const authorization of [null, `Bearer ${METRICS_TOKEN}`])
      expect(await readyz(authorization)).toMatchObject({ ready: true });
    // The tables of each test file's database have the same OIDs.
    const waiting = await tx`select from pg_locks where relation = 'batches'::regclass and not granted
      and database = (select oid from pg_database where datname = current_database())`;
    expect(waiting).toHaveLength(0);
  });
});
