import { setTimeout as sleep } from "node:timers/promises";
import { startEmbeddedPostgres } from "@/db/embedded";
import { isPostgres } from "@/db/embedded-process";
import { postmasterOf } from "../embedded-folder";
import { embeddedUrl } from "../launch-app";
import type { FaultRow, FaultRun } from "./fault-row";
import { Host } from "./hosts";
import { startSubmitters } from "./submitters";
import { openWorld } from "./world";

const RECOVERY_MS_MAX = 5000;

/** Kills an app's embedded Postgres and starts it again, while the app keeps running. */
export const killPostgres: FaultRow = {
  name: "kill-postgres",
  fault: "`kill -9` of Postgres under load",
  promise:
    "30 kills; 503 with Retry-After meanwhile; first success within 5 s after it is up; no uncaught error; I1–I7",
  secondsMax: { full: 600, short: 90 },
  async run(run) {
    const host = await Host.started(run, {});
    const url = embeddedUrl(host.dataDir);
    const world = await openWorld(run, url);
    const submitters = startSubmitters(run, world, {
      baseUrl: host.url,
      clients: 8,
      cancelShare: 0.05,
      waitSecondsMax: 3,
      retries: 0,
    });
    for (let kill = 0; kill < (run.short ? 3 : 30) && !run.signal.aborted; kill++) {
      await sleep(run.random.between(500, 2500));
      await restartPostgres(run, host.dataDir, url);
      await run.tally.expectRecovery(10, "Postgres was up again");
    }
    await submitters.stop();
    await world.finish();
    run.tally.expect(
      run.tally.worstRecoveryMs <= RECOVERY_MS_MAX,
      `the first success came ${run.tally.worstRecoveryMs.toFixed(0)} ms after Postgres was up`,
    );
    run.tally.notes.push(`${submitters.acknowledged()} batches acknowledged`);
  },
};

async function restartPostgres(run: FaultRun, dataDir: string, url: string): Promise<void> {
  const pid = postmasterOf(dataDir);
  if (!isPostgres(pid)) throw new Error(`process ${pid} is not Postgres`);
  process.kill(pid, "SIGKILL");
  run.tally.injected++;
  const server = await startEmbeddedPostgres({ dataDir });
  if (server.url !== url) throw new Error("Postgres is not up again on its port");
}
