import { setTimeout as sleep } from "node:timers/promises";
import { batchOf, submit } from "../factories";
import { countingFetch } from "./counting-fetch";
import type { FaultRow, FaultRun } from "./fault-row";
import { Host } from "./hosts";
import { digestOf, keyOf } from "./record";
import { type FaultWorld, openWorld, startRowPostgres } from "./world";

const CALLS = 20;
const LEFT_AFTER_MS = 30;
const HUNG_UP_BY_MS = 2000;

/** Two hosts that finalize only when the cron route is called. */
export const cronCalls: FaultRow = {
  name: "cron-calls",
  fault: "20 parallel cron calls on two hosts, callers that hang up midway, wrong secrets",
  promise: "each batch is finalized once; a wrong secret gets 401 and does nothing",
  secondsMax: { full: 300, short: 60 },
  async run(run) {
    const world = await openWorld(run, await startRowPostgres(run));
    const environment = { DATABASE_URL: world.url, FINALIZER: "off", FINALIZER_BUDGET_SECONDS: "5" };
    const hosts = await Promise.all([Host.started(run, environment), Host.started(run, environment)]);
    const stopWatch = world.watch();
    for (let round = 0; round < (run.short ? 1 : 10) && !run.signal.aborted; round++) {
      const count = 150;
      await submitMany(world, round, count);
      await expectWrongSecretsRefused(run, world, hosts[0]!, count);
      await Promise.all(
        Array.from({ length: CALLS / 4 }, (_, i) =>
          // Node's fetch sometimes never settles after an abort.
          Promise.race([call(run, hosts[i % 2]!, hosts[0]!.cronSecret, LEFT_AFTER_MS), sleep(HUNG_UP_BY_MS)]),
        ),
      );
      run.tally.recovering();
      const finalized = await Promise.all(
        Array.from({ length: CALLS }, (_, i) => call(run, hosts[i % 2]!, hosts[0]!.cronSecret)),
      );
      run.tally.injected += finalized.length;
      const sum = finalized.reduce<number>((total, batches) => total + (batches ?? 0), 0);
      run.tally.expect(sum <= count, `the answers report ${sum} finalized batches of ${count}`);
    }
    await stopWatch();
    await world.finish();
  },
};

async function submitMany(world: FaultWorld, round: number, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    const { contractAddress } = world.callers[i % world.callers.length]!;
    const batch = batchOf(
      contractAddress,
      [
        [1, "1"],
        [100 + i, "2.5"],
      ],
      { batchId: `r${round}-${i}` },
    );
    await submit(world.db, batch);
    world.record.submitted.set(keyOf(contractAddress, batch.batchId!), digestOf(contractAddress, batch));
  }
}

async function expectWrongSecretsRefused(run: FaultRun, world: FaultWorld, host: Host, count: number) {
  for (const secret of ["wrong", "", `${host.cronSecret}x`, host.cronSecret.slice(1)]) {
    const reply = await request(run, host, secret);
    run.tally.injected++;
    run.tally.expect(reply.status === 401, `a wrong cron secret was answered ${reply.status}`);
  }
  const [due] = await world.db.sql<{ count: number }[]>`
    select count(*)::int as count from batches where status = 'PENDING'`;
  run.tally.expect(due!.count === count, `${count - due!.count} batches were finalized by a wrong secret`);
}

/** @returns how many batches the call finalized; null when it hung up first */
async function call(run: FaultRun, host: Host, secret: string, hangUpMs?: number): Promise<number | null> {
  try {
    const reply = await request(
      run,
      host,
      secret,
      hangUpMs === undefined ? undefined : AbortSignal.timeout(hangUpMs),
    );
    run.tally.expect(reply.status === 200, `a cron call was answered ${reply.status}`);
    return ((await reply.json()) as { batchesFinalized: number }).batchesFinalized;
  } catch (error) {
    if (hangUpMs === undefined) throw error;
    return null;
  }
}

function request(run: FaultRun, host: Host, secret: string, signal?: AbortSignal): Promise<Response> {
  const headers = { authorization: `Bearer ${secret}` };
  return countingFetch(run.tally)(`${host.url}/api/cron/finalize`, { headers, ...(signal && { signal }) });
}
