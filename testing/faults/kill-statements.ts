import { setTimeout as sleep } from "node:timers/promises";
import { ApiProblem } from "@/client/src/api-problem";
import { addressToBytes } from "@/server/kernel/values/addresses";
import { batchOf, submit, wallet } from "../factories";
import type { FaultRow, FaultRun } from "./fault-row";
import { Host } from "./hosts";
import { readInvariants } from "./invariants";
import { digestOf, keyOf } from "./record";
import { clientOf } from "./submitters";
import { type FaultWorld, openWorld, startRowPostgres } from "./world";

const WAIT_MS_MAX = 15_000;
/** First, middle and last in the order in which accounts are written. */
const RECIPIENTS = [0x01, 0x8000, 0xffff_ffff].map(wallet);

/**
 * Debit and credit are parts of one statement, so the app has no hook between them. The row locks one account, the statement
 * waits for it with part of its work done, and Postgres terminates its backend there.
 */
export const killStatements: FaultRow = {
  name: "kill-statements",
  fault: "The backend terminated in the middle of a submit, and between the debits and credits of a settling",
  promise:
    "20 of each: the statement leaves nothing behind, the caller gets 503, and the work is done once afterwards",
  secondsMax: { full: 600, short: 60 },
  async run(run) {
    const world = await openWorld(run, await startRowPostgres(run));
    const host = await Host.started(run, { DATABASE_URL: world.url });
    for (let time = 0; time < (run.short ? 2 : 20) && !run.signal.aborted; time++) {
      await endSubmit(run, world, host, `submit-${time}`);
      await endSettling(run, world, time);
    }
    await world.finish();
  },
};

async function endSubmit(run: FaultRun, world: FaultWorld, host: Host, batchId: string): Promise<void> {
  const caller = world.callers[run.random.below(world.callers.length)]!;
  const { pointType, transfers } = batchOf(
    caller.contractAddress,
    RECIPIENTS.map((to) => [to, "1"]),
  );
  const sent = { pointType, transfers, secondsToFinalize: 3600 };
  const once = clientOf(run, host.url, caller, { retries: 0 });
  await withAccountLocked(world, caller.contractAddress, async () => {
    const submitting = once.submitBatch(sent, { batchId }).then(
      () => "acknowledged",
      (error: unknown) => (error instanceof ApiProblem ? error.status : String(error)),
    );
    await endBackendThatWaits(run, world, "with created as");
    const outcome = await submitting;
    run.tally.expect(outcome === 503, `a submit whose backend was terminated was answered ${outcome}`);
  });
  run.tally.recovering();
  const again = await clientOf(run, host.url, caller).submitBatch(sent, { batchId });
  run.tally.expect(!again.replayed, `${batchId}: a terminated statement stored its batch`);
  world.record.submitted.set(keyOf(caller.contractAddress, batchId), digestOf(caller.contractAddress, sent));
}

async function endSettling(run: FaultRun, world: FaultWorld, time: number): Promise<void> {
  const caller = world.callers[time % world.callers.length]!;
  const batchId = `settle-${time}`;
  const rows = RECIPIENTS.map((to) => [to, "1"] as const);
  // Due once the lock is held.
  const batch = batchOf(caller.contractAddress, rows, { batchId, secondsToFinalize: 1 });
  await submit(world.db, batch);
  world.record.submitted.set(keyOf(caller.contractAddress, batchId), digestOf(caller.contractAddress, batch));
  // The account must exist to be locked.
  const locked = [...RECIPIENTS, caller.contractAddress][time % 4]!;
  await world.db.sql`
    insert into accounts (address, point_type) values (${addressToBytes(locked)}, 'PHASE2_POINTS') on conflict do nothing`;
  await withAccountLocked(world, locked, async () => {
    // The statement's beginning, because Postgres shows only its first 1,024 bytes.
    await endBackendThatWaits(run, world, "with claimed as materialized");
    await readInvariants(world.db, world.record, run.tally);
  });
}

async function withAccountLocked(
  world: FaultWorld,
  address: string,
  work: () => Promise<void>,
): Promise<void> {
  await world.db.sql.begin(async (tx) => {
    await tx`select from accounts where address = ${addressToBytes(address)} for update`;
    await work();
  });
}

/** Terminates the backend whose statement contains `words` and waits for a lock. */
async function endBackendThatWaits(run: FaultRun, world: FaultWorld, words: string): Promise<void> {
  for (const endsAt = performance.now() + WAIT_MS_MAX; performance.now() < endsAt; ) {
    const ended = await world.db.sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like ${`%${words}%`}
        and pid <> pg_backend_pid()`;
    if (ended.length > 0) {
      run.tally.injected += ended.length;
      return;
    }
    await sleep(20);
  }
  run.tally.violate(`no statement with "${words}" waited for the lock`);
}
