import { setTimeout as sleep } from "node:timers/promises";
import type { FaultRow } from "./fault-row";
import { Host } from "./hosts";
import { startSubmitters } from "./submitters";
import { openWorld, startRowPostgres } from "./world";

/** The app gives its requests 10 s, and the rest a little more. */
const STOP_MS_MAX = 15_000;

export const orderlyStop: FaultRow = {
  name: "orderly-stop",
  fault: "SIGTERM under load",
  promise: "no acknowledged batch is lost; the app exits by itself with code 0",
  secondsMax: { full: 400, short: 60 },
  async run(run) {
    const world = await openWorld(run, await startRowPostgres(run));
    const host = await Host.started(run, { DATABASE_URL: world.url });
    const submitters = startSubmitters(run, world, {
      baseUrl: host.url,
      clients: 8,
      cancelShare: 0.05,
      waitSecondsMax: 2,
    });
    for (let stop = 0; stop < (run.short ? 2 : 20) && !run.signal.aborted; stop++) {
      await sleep(run.random.between(500, 1500));
      const startedAt = performance.now();
      await host.terminate();
      run.tally.injected++;
      const ms = performance.now() - startedAt;
      run.tally.expect(ms < STOP_MS_MAX, `the app took ${ms.toFixed(0)} ms to stop`);
      const { exitCode } = host.app;
      run.tally.expect(exitCode() === 0, `the app exited with ${exitCode() ?? "a signal"}`);
      await host.start();
      run.tally.recovering();
    }
    await submitters.stop();
    await world.finish();
    run.tally.notes.push(`${submitters.acknowledged()} batches acknowledged`);
  },
};
