import { setTimeout as sleep } from "node:timers/promises";
import { type FaultMode, FaultProxy } from "../fault-proxy";
import type { FaultRow, FaultRun } from "./fault-row";
import { Host } from "./hosts";
import { keyOf } from "./record";
import { ResponseTimes } from "./response-times";
import { clientOf, startSubmitters } from "./submitters";
import { type FaultWorld, openWorld, startRowPostgres } from "./world";

const ANSWER_MS_MAX = 10_000;
const RECOVERY_SECONDS_MAX = 12;
const POOL = 10;
/** Longer than the app waits for an unresponsive database. */
const SILENT_MS = 10_500;

/** How long each fault lasts. `deaf` passes requests on and drops the replies, including the one to COMMIT. */
const FAULTS: [FaultMode, number][] = [
  ["deaf", 1500],
  ["reset", 1500],
  ["blackhole", SILENT_MS],
  ["hangup", 1500],
  ["slow", 4000],
  ["refuse", 2000],
  ["deaf", SILENT_MS],
  ["blackhole", 1500],
];

export const badNetwork: FaultRow = {
  name: "bad-network",
  fault: "The link to Postgres black-holed, reset, refused, hung up or slow; the reply to COMMIT lost",
  promise:
    "every request is answered within 10 s; the pool recovers fully; reading resolves unknown outcomes",
  secondsMax: { full: 600, short: 100 },
  async run(run) {
    const url = await startRowPostgres(run);
    const world = await openWorld(run, url);
    const proxy = await FaultProxy.start(url);
    run.cleanup.add(() => proxy.stop());
    const times = new ResponseTimes(run);
    const host = await Host.started(run, {
      DATABASE_URL: proxy.through(url),
      DATABASE_POOL_MAX: String(POOL),
      ...times.environment,
    });
    const submitters = startSubmitters(run, world, {
      baseUrl: host.url,
      clients: 12,
      cancelShare: 0.05,
      waitSecondsMax: 2,
      retries: 0,
      /** Clients give up early, so that outcomes stay unknown and have to be read. */
      persistMs: 1000,
    });
    const faults = run.short ? FAULTS.slice(0, 3) : [...FAULTS, ...FAULTS, ...FAULTS];
    for (const [mode, ms] of faults) {
      if (run.signal.aborted) break;
      await sleep(1500);
      await proxy.set(mode);
      run.tally.injected++;
      await sleep(ms);
      await proxy.set("ok");
      await run.tally.expectRecovery(RECOVERY_SECONDS_MAX, `${mode} ended`);
    }
    await submitters.stop();
    await resolveUnknown(run, world, host);
    await world.finish();
    await expectPoolWhole(run, world);
    times.expectWithin(ANSWER_MS_MAX);
  },
};

/** Reads each batch whose submit got no 2xx, and compares it with what was sent. */
async function resolveUnknown(run: FaultRun, world: FaultWorld, host: Host): Promise<void> {
  let stored = 0;
  const unknown = [...world.record.unknown];
  for (const [key, digest] of unknown) {
    const [contract = "", batchId = ""] = key.split("/");
    const caller = world.callers.find(
      ({ contractAddress }) => keyOf(contractAddress, batchId) === `${contract}/${batchId}`,
    );
    const read = await clientOf(run, host.url, caller!)
      .getBatch(batchId)
      .catch((error: { status?: number }) => error.status);
    if (typeof read === "object") {
      stored++;
      run.tally.expect(read.digest === digest, `${key} is stored with different content`);
      world.record.submitted.set(key, digest);
    } else run.tally.expect(read === 404, `reading ${key} returned ${read}`);
  }
  run.tally.notes.push(`${unknown.length} outcomes were unknown; ${stored} of them turned out to be stored`);
}

const LEFT_MS_MAX = 5000;

/** No session is left idle in a transaction. A working one is so for moments between two statements, so each gets time to continue. */
async function expectPoolWhole(run: FaultRun, { db }: FaultWorld): Promise<void> {
  const idle = async () =>
    (
      await db.sql<{ transaction: string }[]>`
        select pid || ' since ' || xact_start as transaction from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and state like 'idle in transaction%'`
    ).map(({ transaction }) => transaction);
  let left = await idle();
  for (let waited = 0; left.length > 0 && waited < LEFT_MS_MAX; waited += 50) {
    await sleep(50);
    const still = new Set(await idle());
    left = left.filter((transaction) => still.has(transaction));
  }
  run.tally.expect(
    left.length === 0,
    `${left.length} sessions are idle in a transaction: ${left.join(", ")}`,
  );
}
