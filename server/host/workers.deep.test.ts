import { readFileSync, rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, test, vi } from "vitest";
import { type BuiltApp, launchBuiltApp, newContractToken, startBuiltApp } from "@/testing/launch-app";

const CONTRACT = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const RECIPIENT = "0x000000000000000000000000000000000000dead";
const PATIENCE_MS = 20_000;

let app: BuiltApp;
afterEach(async () => {
  await app?.stop();
  rmSync(app.dataDir, { recursive: true, force: true });
});

const start = async (more: Record<string, string> = {}) => {
  app = await startBuiltApp({
    environment: { WEB_CONCURRENCY: "2", MINIMUM_FINALIZE_SECONDS: "0", LOG_LEVEL: "info", ...more },
  });
};

/** Child processes of the app that run its program, without those of Postgres. */
function workersOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ");
  return children.map(Number).filter((child) => {
    const command = readFileSync(`/proc/${child}/cmdline`, "utf8");
    return command.includes("host.mjs");
  });
}

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

const until = (holds: () => boolean | Promise<boolean>) =>
  vi.waitFor(async () => expect(await holds(), app.output()).toBe(true), { timeout: PATIENCE_MS });

const newToken = () => newContractToken(app, CONTRACT);

/** Submits a batch with the given id. Undefined when there was no reply. */
async function submit(token: string, id: string): Promise<number | undefined> {
  const reply = await fetch(`${app.url}/v1/contracts/${CONTRACT}/batches/${id}`, {
    method: "PUT",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json", Connection: "close" },
    body: JSON.stringify({
      pointType: "PHASE2_POINTS",
      secondsToFinalize: 0,
      transfers: [{ toAddress: RECIPIENT, points: "1" }],
    }),
  }).catch(() => undefined);
  return reply?.status;
}

async function statusOf(token: string, id: string): Promise<string> {
  const reply = await fetch(`${app.url}/v1/contracts/${CONTRACT}/batches/${id}`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  return ((await reply.json()) as { batch: { status: string } }).batch.status;
}

// Only Linux lists a process's children in a file.
describe.skipIf(process.platform !== "linux")("two processes on one port", () => {
  test("submit, finalize and keep the ledger balanced; a scrape of one reports both; a killed one is replaced while the other answers", async () => {
    const METRICS_TOKEN = "metrics-token-of-this-test";
    await start({ METRICS_TOKEN });
    const token = await newToken();
    const ids = Array.from({ length: 40 }, (_, n) => `batch-${n}`);
    expect(new Set(await Promise.all(ids.map((id) => submit(token, id))))).toEqual(new Set([200]));
    await until(async () =>
      (await Promise.all(ids.map((id) => statusOf(token, id)))).every((s) => s === "FINALIZED"),
    );
    expect(await app.ops(["verify-ledger"])).toContain("The ledger balances: 40 batches, 40 transfers");

    const answered = async () => {
      const headers = { Authorization: `Bearer ${METRICS_TOKEN}`, Connection: "close" };
      const text = await (await fetch(`${app.url}/metrics`, { headers })).text();
      expect(text.match(/^# TYPE ptb_http_requests_total /gm)).toHaveLength(1);
      expect(text.match(/^process_resident_memory_bytes\{worker="[12]"\}/gm)).toHaveLength(2);
      return [...text.matchAll(/^ptb_http_requests_total\{.*"\/version".*worker="(\d)"\} (\d+)$/gm)].map(
        ([, worker, count]) => ({ worker, count: Number(count) }),
      );
    };
    // Each worker loads its metrics on the first scrape.
    await until(async () => (await answered().catch(() => null)) !== null);
    const before = (await answered()).reduce((sum, { count }) => sum + count, 0);
    const ask = () => fetch(`${app.url}/version`, { headers: { Connection: "close" } });
    for (let n = 0; n < 20; n++) expect((await ask()).status).toBe(200);
    await until(async () => (await answered()).reduce((sum, { count }) => sum + count, 0) === before + 20);
    expect(new Set((await answered()).map(({ worker }) => worker))).toEqual(new Set(["1", "2"]));

    const workers = workersOf(app.pid);
    expect(workers).toHaveLength(2);
    const [killed, other] = workers as [number, number];
    process.kill(killed, "SIGKILL");
    await until(() => !isAlive(killed));
    for (let n = 0; n < 10; n++) expect(await submit(token, `while-${n}`)).toBe(200);
    await until(() => workersOf(app.pid).length === 2);
    expect(workersOf(app.pid)).toContain(other);
    expect(app.output()).toContain("worker exited, starting another");
  });

  test("both stop on SIGTERM with exit code 0, and every acknowledged batch is stored", async () => {
    const launched = await launchBuiltApp({
      environment: { WEB_CONCURRENCY: "2", MINIMUM_FINALIZE_SECONDS: "0" },
    });
    app = launched;
    await launched.ready();
    const token = await newToken();
    const pids = workersOf(app.pid);
    const answers: Promise<[string, number | undefined]>[] = [];
    let isOver = false;
    const sending = (async () => {
      for (let n = 0; !isOver; n++, await sleep(5))
        answers.push(submit(token, `b-${n}`).then((status) => [`b-${n}`, status]));
    })();
    await sleep(500);
    process.kill(launched.pid, "SIGTERM");
    await launched.ended;
    isOver = true;
    await sending;
    expect(launched.exitCode()).toBe(0);
    await until(() => !pids.some(isAlive));
    const stored = (await Promise.all(answers)).filter(([, status]) => status === 200);
    expect(stored.length).toBeGreaterThan(0);
    app = await startBuiltApp({ dataDir: launched.dataDir });
    for (const [id] of stored)
      expect(["PENDING", "FINALIZING", "FINALIZED"]).toContain(await statusOf(token, id));
  });
});

test("a stopping process reports not ready, but keeps serving requests until STOP_DELAY_SECONDS is over", async () => {
  const METRICS_TOKEN = "metrics-token-of-this-test";
  const launched = await launchBuiltApp({ environment: { STOP_DELAY_SECONDS: "4", METRICS_TOKEN } });
  app = launched;
  await launched.ready();
  const readyz = () => fetch(`${app.url}/readyz`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
  const stopped = app.kill("SIGTERM");
  let ready = await readyz();
  while (ready.status === 200) ready = await readyz();
  expect(ready.status).toBe(503);
  expect(ready.headers.get("retry-after")).toBe("2");
  expect(await ready.json()).toMatchObject({
    code: "unavailable",
    ready: false,
    checks: { draining: true, database: "up", schema: "current" },
  });
  const served = await fetch(`${app.url}/v1/openapi.json`);
  expect([served.status, served.headers.get("connection")]).toEqual([200, "close"]);
  expect((await fetch(`${app.url}/livez`)).status).toBe(200);
  await stopped;
  expect(launched.exitCode()).toBe(0);
});
