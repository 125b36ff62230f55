import { setTimeout as sleep } from "node:timers/promises";
import { embeddedUrl } from "../launch-app";
import type { FaultRow } from "./fault-row";
import { Host } from "./hosts";
import { startSubmitters } from "./submitters";
import { openWorld } from "./world";

/** Kills the app only; its next start adopts the embedded Postgres that it left running. */
export const killApp: FaultRow = {
  name: "kill-app",
  fault: "SIGKILL of the app while submitting",
  promise: "100 kills, at least 5,000 submits: I1–I5; none lost, none stored twice",
  secondsMax: { full: 2400, short: 60 },
  async run(run) {
    const kills = run.short ? 4 : 100;
    const host = await Host.started(run, {});
    const world = await openWorld(run, embeddedUrl(host.dataDir));
    const submitters = startSubmitters(run, world, { baseUrl: host.url, clients: 8, cancelShare: 0.05 });
    for (let kill = 0; kill < kills && !run.signal.aborted; kill++) {
      await sleep(run.random.between(300, 1200));
      await host.kill();
      run.tally.forgetRecovery();
      await host.launch();
      // Sometimes it is killed again during its start.
      if (run.random.chance(0.1)) {
        await sleep(run.random.between(50, 800));
        await host.kill();
        await host.launch();
      }
      await host.app.ready();
      run.tally.recovering();
    }
    const least = run.short ? 100 : 5000;
    await submitters.untilAcknowledged(least);
    await submitters.stop();
    await world.finish();
    run.tally.expect(
      submitters.acknowledged() >= least,
      `only ${submitters.acknowledged()} submits were acknowledged`,
    );
    run.tally.notes.push(
      `${submitters.acknowledged()} batches acknowledged, ${world.record.cancelled.size} cancelled`,
    );
  },
};
