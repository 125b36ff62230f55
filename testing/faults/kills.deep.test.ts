import { setTimeout as sleep } from "node:timers/promises";
import type { NewBatch } from "@/client/src/shapes";
import { startEmbeddedPostgres } from "@/db/embedded/start-embedded";
import type { CrashPoint } from "@/server/kernel/process";
import { postmasterOf } from "@/testing/embedded-folder";
import { groupsStored } from "@/testing/expectations";
import { batchOf, submit, times } from "@/testing/factories";
import { embeddedUrl } from "@/testing/launch-app";
import {
  between,
  type Caller,
  chance,
  clientOf,
  digestOf,
  type FaultRun,
  type FaultWorld,
  faultTest,
  Host,
  keyOf,
  openWorld,
  randomBatch,
  readInvariants,
  startSubmitters,
} from "./fault-run";

/** Enough that most of their submits share statements. */
const CLIENTS = 16;

/** So that the faults also met statements that stored several batches. */
async function expectGroups({ db }: FaultWorld, run: FaultRun): Promise<void> {
  run.expect((await groupsStored(db)) > 0, "no two batches were stored together");
}

/** Two finalizing hosts on one database, of which one takes the submits: either is killed again and again. */
faultTest(
  "killing either of two apps loses no acknowledged batch, stores none twice and credits each once",
  async (run) => {
    const world = await openWorld(run);
    const hosts = [
      await Host.started(run, { DATABASE_URL: world.url }),
      await Host.started(run, { DATABASE_URL: world.url }),
    ];
    const submitters = startSubmitters(run, world, {
      baseUrl: hosts[0]!.url,
      clients: CLIENTS,
      cancelShare: 0.1,
      waitSecondsMax: 2,
    });
    for (let kill = 0; kill < 6 && !run.signal.aborted; kill++) {
      const host = hosts[kill % 2]!;
      await sleep(between(300, 1200));
      await host.stop("SIGKILL");
      await host.launch();
      // Sometimes it is killed again during its start.
      if (chance(0.2)) {
        await sleep(between(50, 800));
        await host.stop("SIGKILL");
        await host.launch();
      }
      await host.app.ready();
    }
    await submitters.untilAcknowledged(100);
    await submitters.stop();
    await world.finish();
    await expectGroups(world, run);
  },
);

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
  "after-group": crashInGroup,
  "after-cancel": crashInCancel,
  "after-settle": (scene) => crashInFinalizer(scene, "FINALIZED"),
  "after-claim": (scene) => crashInFinalizer(scene, "FINALIZING"),
};
const LAUNCHES_MAX = 25;

faultTest(
  "after a crash just before or after a commit, what was committed stays and a repeat completes the rest",
  async (run) => {
    const world = await openWorld(run);
    const sound = await Host.started(run, { DATABASE_URL: world.url, FINALIZER: "off" });
    for (const [point, crash] of Object.entries(POINTS)) {
      const finalizes = point === "after-claim" || point === "after-settle";
      const doomed = await Host.make(run, {
        DATABASE_URL: world.url,
        FINALIZER: finalizes ? "on" : "off",
        FAULTS: "on",
        CRASH_AT: point,
      });
      await crash({ run, world, sound, doomed, batchId: point });
      await readInvariants(world, run);
    }
    await Host.started(run, { DATABASE_URL: world.url });
    await world.finish();
  },
);

async function crashInSubmit(
  { run, world, sound, doomed, batchId }: Scene,
  isStored: boolean,
): Promise<void> {
  const caller = world.callers[chance(0.5) ? 0 : 1]!;
  const batch = randomBatch(1);
  await expectCrash(run, doomed, (url) => clientOf(run, url, caller, 0).submitBatch(batch, { batchId }));
  const reader = clientOf(run, sound.url, caller);
  const found = await reader.getBatch(batchId).catch(() => null);
  run.expect((found !== null) === isStored, `${batchId}: stored ${!isStored} after the crash`);
  const { replayed } = await reader.submitBatch(batch, { batchId });
  run.expect(replayed === isStored, `${batchId}: the repeat was answered with replayed ${replayed}`);
  world.record.submitted.set(keyOf(caller.contractAddress, batchId), digestOf(caller.contractAddress, batch));
}

/** Sends batches of all contracts until some have shared a statement, after whose commit the host crashes. */
async function crashInGroup({ run, world, sound, doomed, batchId: name }: Scene): Promise<void> {
  await doomed.launch();
  await doomed.app.ready();
  let isOver = false;
  void doomed.app.ended.then(() => {
    isOver = true;
  });
  const unanswered: { caller: Caller; batchId: string; batch: NewBatch }[] = [];
  for (let round = 0; !isOver && !run.signal.aborted; round++)
    await times(CLIENTS, async (at) => {
      const caller = world.callers[at % world.callers.length]!;
      const [batchId, batch] = [`${name}-${round}-${at}`, randomBatch(1)];
      const sent = clientOf(run, doomed.url, caller, 0).submitBatch(batch, { batchId });
      await sent.catch(() => unanswered.push({ caller, batchId, batch }));
      // Without an answer it is sent again below.
      const key = keyOf(caller.contractAddress, batchId);
      world.record.submitted.set(key, digestOf(caller.contractAddress, batch));
    });
  for (const { caller, batchId, batch } of unanswered)
    await clientOf(run, sound.url, caller).submitBatch(batch, { batchId });
  // Two, if the statement of another group was under way: Postgres completes it without the host.
  run.expect((await groupsStored(world.db)) >= 1, "the group is not stored despite its commit");
}

async function crashInCancel({ run, world, sound, doomed, batchId }: Scene): Promise<void> {
  const caller = world.callers[0]!;
  const reader = clientOf(run, sound.url, caller);
  const batch = { ...randomBatch(0), secondsToFinalize: 3600 };
  await reader.submitBatch(batch, { batchId });
  world.record.submitted.set(keyOf(caller.contractAddress, batchId), digestOf(caller.contractAddress, batch));
  await expectCrash(run, doomed, (url) => clientOf(run, url, caller, 0).cancelBatch(batchId));
  const { status } = await reader.getBatch(batchId);
  run.expect(status === "CANCELLED", `${batchId} is ${status} after a cancel that crashed before its reply`);
}

async function crashInFinalizer(
  { run, world, sound, doomed, batchId }: Scene,
  expected: "FINALIZING" | "FINALIZED",
): Promise<void> {
  const caller = world.callers[chance(0.5) ? 0 : 1]!;
  const rows = [[0x77, "1.5"] as const, [0x78, "2"] as const];
  const batch = batchOf(caller.contractAddress, rows, { batchId });
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
  run.expect(status === expected, `${batchId} is ${status} after the crash`);
}

async function expectCrash(run: FaultRun, doomed: Host, send: (url: string) => Promise<unknown>) {
  await doomed.launch();
  await doomed.app.ready();
  const isAnswered = await send(doomed.url).then(
    () => true,
    () => false,
  );
  run.expect(!isAnswered, "a request was answered despite the crash");
}

faultTest(
  "while Postgres is killed and restarted, requests get 503 with Retry-After, and the app continues",
  async (run) => {
    const host = await Host.started(run, {});
    const world = await openWorld(run, embeddedUrl(host.dataDir));
    const submitters = startSubmitters(run, world, {
      baseUrl: host.url,
      clients: CLIENTS,
      cancelShare: 0.05,
      waitSecondsMax: 3,
      retries: 0,
    });
    for (let kill = 0; kill < 3 && !run.signal.aborted; kill++) {
      await sleep(between(500, 2500));
      process.kill(postmasterOf(host.dataDir), "SIGKILL");
      const { url } = await startEmbeddedPostgres({ dataDir: host.dataDir });
      if (url !== world.url) throw new Error("Postgres is not up again on its port");
      await run.untilRecovered();
    }
    await submitters.stop();
    await world.finish();
    await expectGroups(world, run);
  },
);
