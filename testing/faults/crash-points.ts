import type { CrashPoint } from "@/server/kernel/process";
import { batchOf, submit } from "../factories";
import type { FaultRow, FaultRun } from "./fault-row";
import { Host } from "./hosts";
import { readInvariants } from "./invariants";
import { digestOf, keyOf } from "./record";
import { clientOf, randomBatch } from "./submitters";
import { type FaultWorld, openWorld, startRowPostgres } from "./world";

/** A host that crashes at a named point, and one that keeps running and shows what is stored. */
interface Scene {
  run: FaultRun;
  world: FaultWorld;
  sound: Host;
  /** The host that will crash, or already has. */
  doomed: Host;
  batchId: string;
}

const POINTS: Record<CrashPoint, (scene: Scene) => Promise<void>> = {
  "before-submit": (scene) => crashInSubmit(scene, false),
  "after-submit": (scene) => crashInSubmit(scene, true),
  "after-cancel": crashInCancel,
  "after-settle": (scene) => crashInFinalizer(scene, "FINALIZED"),
  "after-claim": (scene) => crashInFinalizer(scene, "FINALIZING"),
};

const LAUNCHES_MAX = 25;

export const crashPoints: FaultRow = {
  name: "crash-points",
  fault: "Crash before and after a submit, and after a cancel, a claim and a settling, each before the reply",
  promise:
    "20 of each: what was committed stays, nothing else does, and repeating the request completes it once",
  secondsMax: { full: 900, short: 60 },
  async run(run) {
    const world = await openWorld(run, await startRowPostgres(run));
    const sound = await Host.started(run, { DATABASE_URL: world.url, FINALIZER: "off" });
    for (const [point, crash] of Object.entries(POINTS)) {
      const finalizes = point === "after-claim" || point === "after-settle";
      const doomed = await Host.make(run, {
        DATABASE_URL: world.url,
        FINALIZER: finalizes ? "on" : "off",
        FAULTS: "on",
        CRASH_AT: point,
      });
      for (let time = 0; time < (run.short ? 1 : 20) && !run.signal.aborted; time++) {
        await crash({ run, world, sound, doomed, batchId: `${point}-${time}` });
        run.tally.injected++;
        await readInvariants(world.db, world.record, run.tally);
      }
    }
    await Host.started(run, { DATABASE_URL: world.url });
    await world.finish();
  },
};

async function crashInSubmit(
  { run, world, sound, doomed, batchId }: Scene,
  isStored: boolean,
): Promise<void> {
  await doomed.start();
  const caller = run.random.chance(0.5) ? world.callers[0]! : world.callers[1]!;
  const batch = randomBatch(run.random, 1);
  const crashing = clientOf(run, doomed.url, caller, { retries: 0 }).submitBatch(batch, { batchId });
  await expectCrash(run, crashing, batchId);
  const reader = clientOf(run, sound.url, caller);
  const found = await reader.getBatch(batchId).catch(() => null);
  run.tally.expect(
    (found !== null) === isStored,
    `${batchId} is ${found ? "stored" : "not stored"} after the crash`,
  );
  const again = await reader.submitBatch(batch, { batchId });
  run.tally.expect(
    again.replayed === isStored,
    `${batchId}: the repeat was answered as ${again.replayed ? "replayed" : "new"}`,
  );
  world.record.submitted.set(keyOf(caller.contractAddress, batchId), digestOf(caller.contractAddress, batch));
}

async function crashInCancel({ run, world, sound, doomed, batchId }: Scene): Promise<void> {
  await doomed.start();
  const [caller] = world.callers;
  const batch = { ...randomBatch(run.random, 0), secondsToFinalize: 3600 };
  const reader = clientOf(run, sound.url, caller!);
  await reader.submitBatch(batch, { batchId });
  const crashing = clientOf(run, doomed.url, caller!, { retries: 0 }).cancelBatch(batchId);
  await expectCrash(run, crashing, batchId);
  const { status } = await reader.getBatch(batchId);
  run.tally.expect(
    status === "CANCELLED",
    `${batchId} is ${status} after a cancel that crashed before its reply`,
  );
}

async function crashInFinalizer(
  { run, world, sound, doomed, batchId }: Scene,
  expected: "FINALIZING" | "FINALIZED",
): Promise<void> {
  const caller = run.random.chance(0.5) ? world.callers[0]! : world.callers[1]!;
  const batch = batchOf(
    caller.contractAddress,
    [
      [0x77, "1.5"],
      [0x78, "2"],
    ],
    { batchId },
  );
  await submit(world.db, batch);
  world.record.submitted.set(keyOf(caller.contractAddress, batchId), digestOf(caller.contractAddress, batch));
  const reader = clientOf(run, sound.url, caller);
  let status = "PENDING";
  // An expired claim that an earlier crash left is finalized before this batch.
  for (let launches = 0; status === "PENDING" && launches < LAUNCHES_MAX && !run.signal.aborted; launches++) {
    await doomed.launch();
    await doomed.app.ended;
    ({ status } = await reader.getBatch(batchId));
  }
  run.tally.expect(status === expected, `${batchId} is ${status} after the crash`);
}

async function expectCrash(run: FaultRun, crashing: Promise<unknown>, batchId: string): Promise<void> {
  const answered = await crashing.then(
    () => true,
    () => false,
  );
  run.tally.expect(!answered, `${batchId} was answered despite the crash`);
}
