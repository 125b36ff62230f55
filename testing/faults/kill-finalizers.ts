import { setTimeout as sleep } from "node:timers/promises";
import type { FaultRow, FaultRun } from "./fault-row";
import { Host } from "./hosts";
import { startSubmitters } from "./submitters";
import { openWorld, startRowPostgres } from "./world";

/** Four finalizing hosts on one database; a fifth, which is not killed, takes the submits. */
export const killFinalizers: FaultRow = {
  name: "kill-finalizers",
  fault: "SIGKILL of four finalizers running at the same time",
  promise: "300 kills, at least 3,000 batches: I1–I7",
  secondsMax: { full: 1200, short: 130 },
  async run(run) {
    const [kills, least] = run.short ? [8, 100] : [300, 3000];
    const world = await openWorld(run, await startRowPostgres(run));
    const door = await Host.started(run, { DATABASE_URL: world.url, FINALIZER: "off" });
    const submitters = startSubmitters(run, world, {
      baseUrl: door.url,
      clients: 4,
      cancelShare: 0.15,
      waitSecondsMax: 3,
      pauseMs: run.short ? 50 : 100,
    });
    await Promise.all(Array.from({ length: 4 }, () => killAgain(run, world.url, kills)));
    await submitters.untilAcknowledged(least);
    await submitters.stop();
    await Host.started(run, { DATABASE_URL: world.url });
    await world.finish();
    run.tally.notes.push(
      `${submitters.acknowledged()} batches acknowledged, ${world.record.cancelled.size} cancelled`,
    );
  },
};

/** Starts a finalizer and kills it at a random moment, until all kills are done. */
async function killAgain(run: FaultRun, url: string, kills: number): Promise<void> {
  const random = run.random.branch();
  const host = await Host.make(run, { DATABASE_URL: url });
  while (run.tally.injected < kills && !run.signal.aborted) {
    await host.launch();
    if (random.chance(0.15)) await sleep(random.between(100, 1500));
    else {
      await host.app.ready();
      await sleep(random.between(0, 1200));
    }
    await host.kill();
  }
}
