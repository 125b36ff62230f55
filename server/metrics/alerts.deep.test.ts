import { readFileSync } from "node:fs";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { createAccessToken } from "@/server/auth/tokens";
import { shifted, times, withoutTriggers } from "@/testing/factories";
import { haveTool } from "@/testing/install-tool.mjs";
import { alertNames, checkRules, firingAlerts } from "@/testing/promtool";
import { useLedger } from "@/testing/use-ledger";
import { database } from "../kernel/database";
import { startMetrics } from "../kernel/metrics/process-metrics";
import { runCheck, storeIncompleteCheck } from "../ledger/run-check";
import { handleRest } from "../rest/handler";
import { figureLines } from "./figure-lines";
import { readFigures } from "./read-figures";

const INSTALL_MS_MAX = 300_000;
const POOL_MAX = 2;

const { db, context, useContract, submit, finalize } = useLedger({ serves: true, balances: false });
const contract = useContract();
let token: string;
let havePromtool = false;
beforeAll(async () => {
  havePromtool = haveTool({ program: "promtool", package: "prometheus" });
  vi.stubEnv("METRICS_TOKEN", "a-secret-of-this-test");
  vi.stubEnv("DATABASE_POOL_MAX", String(POOL_MAX));
  vi.stubEnv("DATABASE_TIMEOUT_SECONDS", "2");
  vi.stubEnv("RATE_LIMIT_PER_MINUTE", "20");
  const made = { contractAddress: contract, name: "t", scopes: ["batches:read" as const], expiresAt: null };
  token = (await createAccessToken(context(), made)).token;
  await submit(contract, [[1, "1"]]);
  await finalize();
  await runCheck(db, { startedBy: "test", secondsMax: 30 });
  await startMetrics();
}, INSTALL_MS_MAX);
beforeEach(async ({ skip }) => {
  if (!havePromtool) skip("promtool is not here and could not be installed (Debian package `prometheus`)");
  await finalize();
});
afterAll(() => vi.unstubAllEnvs());

/** A scrape of this process. */
async function scrape(): Promise<string> {
  const { registry } = await startMetrics();
  return (await registry.metrics()) + (await figureLines(await readFigures(db).catch(() => null)));
}

const ask = (headers: Record<string, string> = {}, path = "batches") =>
  handleRest(new Request(`http://service.test/v1/contracts/${contract}/${path}`, { headers }));

/** The alerts that fire if the metrics stay as they are during `work`. */
async function firing(work: () => Promise<unknown>): Promise<string[]> {
  const before = await scrape();
  await work();
  return firingAlerts(before, await scrape());
}

const nothing = async () => undefined;

describe("the alert rules", () => {
  test("pass Prometheus' own checker", () => {
    expect(checkRules()).toMatchObject({ status: 0, output: expect.stringContaining("SUCCESS") });
  });

  test("use only metrics that exist", async () => {
    const text = await scrape();
    const rules = readFileSync("docs/alerts.yaml", "utf8");
    const exprs = rules.replaceAll(/annotations:[\s\S]*?(?=\n {6}- alert|$)/g, "").replaceAll(/#.*/g, "");
    const names = [...new Set(exprs.match(/\bptb_\w+/g))].filter((name) => !text.includes(`# TYPE ${name} `));
    // Series of the histogram.
    expect(names.sort()).toEqual([
      "ptb_http_request_duration_seconds_bucket",
      "ptb_http_request_duration_seconds_count",
    ]);
  });

  test("are silent while everything works", async () => {
    expect(await firing(() => times(5, () => ask({ Authorization: `Bearer ${token}` })))).toEqual([]);
  });

  test("each have a firing test below", () => {
    const source = readFileSync("server/metrics/alerts.deep.test.ts", "utf8");
    expect(alertNames().filter((name) => !source.includes(`"${name}"`))).toEqual([]);
  });
});

describe("an alert fires for", () => {
  test("a process that does not respond", () => {
    expect(firingAlerts("", "", 0)).toEqual(["ServiceDown"]);
  });

  test("a database that is down", async () => {
    const { registry } = await startMetrics();
    const text = (await registry.metrics()) + (await figureLines(null));
    expect(firingAlerts(text, text)).toEqual(["ServiceNotReady"]);
  });

  test("a database that lacks a migration", async () => {
    await db.sql`update drizzle.__drizzle_migrations set created_at = -created_at
      where created_at = (select max(created_at) from drizzle.__drizzle_migrations)`;
    const alerts = await firing(nothing);
    await db.sql`update drizzle.__drizzle_migrations set created_at = -created_at where created_at < 0`;
    expect(alerts).toEqual(["ServiceNotReady"]);
  });

  test("a due batch without a finalizer", async () => {
    await submit(contract, [[1, "1"]]);
    await withoutTriggers(
      db,
      `update batches set created_at = ${shifted("created_at", -300)}, finalize_at = ${shifted("finalize_at", -300)} where status = 'PENDING'`,
    );
    await db.sql`update finalizer_heartbeat set last_tick_at = now() - interval '5 minutes'`;
    expect(await firing(nothing)).toEqual(["BatchesOverdue", "FinalizerSilent"]);
    await finalize();
    expect(await firing(nothing)).toEqual(["FinalizerLag"]);
    await db.sql`delete from finalizer_runs`;
  });

  test("requests that fail on our side", async () => {
    await db.sql`alter table access_tokens rename to lost`;
    const alerts = await firing(() => times(3, () => ask({ Authorization: `Bearer ${token}` })));
    await db.sql`alter table lost rename to access_tokens`;
    expect(alerts).toContain("ServerErrors");
  });

  test("slow requests, and work that waits for a connection", async () => {
    let release = false;
    const hogs = times(POOL_MAX, () =>
      database().sql.begin(async (tx) => {
        while (!release) await tx`select pg_sleep(0.1)`;
      }),
    );
    const before = await scrape();
    const waiting = times(3, () => ask({ Authorization: `Bearer ${token}` }));
    await new Promise((resolve) => setTimeout(resolve, 1200));
    expect(firingAlerts(before, await scrape())).toEqual(["PoolWaiting"]);
    release = true;
    await Promise.all([hogs, waiting]);
    expect(firingAlerts(before, await scrape())).toEqual(["SlowRequests"]);
  });

  test("a ledger that does not balance", async () => {
    await withoutTriggers(db, "update accounts set received = received + 1 where received > 0");
    await runCheck(db, { startedBy: "test", secondsMax: 30 });
    const alerts = await firing(nothing);
    await withoutTriggers(db, "update accounts set received = received - 1 where received > 0");
    await db.sql`delete from ledger_checks where not is_ok`;
    expect(alerts).toEqual(["LedgerDiffers"]);
  });

  test("a check that did not complete, and a check that is too old", async () => {
    await storeIncompleteCheck(db, "test", new Date(), "The check took longer than 1 s.");
    expect(await firing(nothing)).toEqual(["LedgerCheckNotCompleted"]);
    await db.sql`delete from ledger_checks where not is_ok`;
    await db.sql`update ledger_checks set finished_at = now() - interval '3 days'`;
    expect(await firing(nothing)).toEqual(["LedgerCheckOld"]);
    await db.sql`update ledger_checks set finished_at = now()`;
  });

  test("a burst of requests over the limit", async () => {
    const alerts = await firing(() => times(120, () => ask({ Authorization: `Bearer ${token}` })));
    expect(alerts).toContain("RateLimitedBurst");
  });
});
