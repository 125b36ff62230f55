import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import driver from "postgres";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "@/db/embedded/start-embedded";
import { appPort, launchBuiltApp, newContractToken, runOps } from "@/testing/launch-app";
import { signIn } from "@/testing/sign-in";

// A platform without the Node host: nothing migrates, creates the first admin, sets up the environment or finalizes.
const CONTRACT = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const RECIPIENT = "0x000000000000000000000000000000000000dead";
const PASSWORD = "correct horse battery";
const CRON_SECRET = "cron-secret-of-this-test-run";
const METRICS_TOKEN = "metrics-token-of-this-test-run";
const IN_DETAIL = { headers: { Authorization: `Bearer ${METRICS_TOKEN}` } };
const START_MS_MAX = 50_000;

describe.each([
  ["by `next start`", ["node_modules/next/dist/bin/next", "start"]],
  ["in Next's minimal mode, as on Vercel", ["testing/next-minimal.mjs"]],
])("a service that is run %s", (_, words) => {
  const dataDir = mkdtempSync(path.join(tmpdir(), "without-host-"));
  let postgres: EmbeddedPostgres;
  let next: ChildProcess;
  let url: string;
  let environment: Record<string, string>;

  beforeAll(async () => {
    postgres = await startEmbeddedPostgres({ dataDir, asSuperuser: true });
    const port = await appPort();
    url = `http://127.0.0.1:${port}`;
    environment = {
      DATABASE_URL: postgres.url,
      AUTH_SECRET: "auth-secret-of-this-test",
      CRON_SECRET,
      METRICS_TOKEN,
      MINIMUM_FINALIZE_SECONDS: "0",
      VERCEL: "1",
      LOG_LEVEL: "error",
    };
    next = spawn(process.execPath, words, {
      env: {
        PATH: process.env.PATH ?? "",
        HOME: process.env.HOME ?? "",
        NODE_ENV: "production",
        PORT: String(port),
        ...environment,
      },
      stdio: "ignore",
    });
    for (const endsAt = performance.now() + START_MS_MAX; performance.now() < endsAt; await sleep(100)) {
      if ((await fetch(`${url}/livez`).catch(() => null))?.status === 200) return;
    }
    throw new Error(`${words[0]} did not answer`);
  });
  afterAll(async () => {
    next?.kill("SIGKILL");
    await postgres?.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  /** The CLI on the same database, as if run from another machine. */
  const ops = (words: string[], standardInput?: string) =>
    runOps(words, { ...process.env, ...environment }, standardInput);

  const readyz = async () => {
    const reply = await fetch(`${url}/readyz`, IN_DETAIL);
    return { status: reply.status, ...((await reply.json()) as { checks: { schema: string } }) };
  };
  const balances = () =>
    fetch(`${url}/v1/contracts/${CONTRACT}/point-balances`, {
      headers: { Authorization: "Bearer ptb_none" },
    });
  const cron = () =>
    fetch(`${url}/api/cron/finalize`, { headers: { Authorization: `Bearer ${CRON_SECRET}` } });

  test("refuses every request before the migration and says why, then serves without a restart", async () => {
    expect(await readyz()).toMatchObject({ status: 503, checks: { schema: "behind" } });
    expect((await balances()).status).toBe(503);
    expect((await cron()).status).toBe(503);
    expect(await ops(["migrate"])).toMatch(/^Applied \d+ migrations\./);
    expect(await readyz()).toMatchObject({ status: 200, checks: { schema: "current" } });
    expect((await balances()).status).toBe(401);
  });

  test("accepts a batch, finalizes it through the cron route and shows it in the console", async () => {
    await ops(["user", "create", "--email", "you@example.com", "--role", "admin"], PASSWORD);
    const token = await newContractToken({ ops }, CONTRACT);
    const submitted = await fetch(`${url}/v1/contracts/${CONTRACT}/batches/first`, {
      method: "PUT",
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
      body: JSON.stringify({
        pointType: "PHASE2_POINTS",
        secondsToFinalize: 0,
        transfers: [{ toAddress: RECIPIENT, points: "1" }],
      }),
    });
    expect(submitted.status).toBe(200);
    expect(await (await cron()).json()).toMatchObject({ success: true, batchesFinalized: 1, dueLeft: 0 });
    const { cookie } = await signIn(url, { email: "you@example.com", password: PASSWORD });
    const page = await fetch(`${url}/batches/${CONTRACT}/first`, { headers: { Cookie: cookie } });
    expect([page.status, (await page.text()).includes("FINALIZED")]).toEqual([200, true]);
  });

  // Vercel runs proxy.ts by itself.
  test.runIf(words.includes("start"))("answers a program whose base URL lacks /v1 in JSON", async () => {
    const reply = await fetch(`${url}/contracts/${CONTRACT}/batches`, {
      headers: { Authorization: "Bearer x" },
    });
    expect([reply.status, (await reply.json()).code]).toEqual([404, "not_found"]);
  });

  test.runIf(words.includes("start"))(
    "with MIGRATE_ON_START=off the Node host waits with its port closed until the database is migrated",
    async () => {
      const sql = driver(postgres.url, { max: 1 });
      await sql`create database waits`;
      await sql.end();
      const DATABASE_URL = Object.assign(new URL(postgres.url), { pathname: "/waits" }).href;
      const app = await launchBuiltApp({
        environment: {
          ...environment,
          DATABASE_URL,
          MIGRATE_ON_START: "off",
          WEB_CONCURRENCY: "2",
          LOG_LEVEL: "warn",
        },
      });
      try {
        const status = async (path: string) => (await fetch(app.url + path).catch(() => null))?.status;
        await vi.waitFor(() => expect(app.output()).toContain("is missing migrations"), { timeout: 120_000 });
        expect(await status("/livez")).toBeUndefined();
        await app.ops(["migrate"]);
        await app.ready();
        expect(await status(`/v1/contracts/${CONTRACT}/point-balances`)).toBe(401);
      } finally {
        await app.stop();
      }
    },
  );
});
