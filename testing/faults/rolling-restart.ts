import { setTimeout as sleep } from "node:timers/promises";
import { Balancer } from "./balancer";
import type { FaultRow, FaultRun } from "./fault-row";
import { Host } from "./hosts";
import { startSubmitters } from "./submitters";
import { openWorld, startRowPostgres } from "./world";

/** Longer than the balancer takes, even on a busy machine, to notice that a host is not ready. */
const STOP_DELAY_SECONDS = "4";

/** A deploy: the hosts are stopped and restarted one after the other, while the other one serves. */
export const rollingRestart: FaultRow = {
  name: "rolling-restart",
  fault: "Two hosts behind a balancer, stopped with SIGTERM and restarted one after the other under load",
  promise:
    "no acknowledged batch is lost or stored twice, no connection breaks; no 5xx except 503 with Retry-After; exit code 0",
  secondsMax: { full: 700, short: 75 },
  async run(run) {
    const world = await openWorld(run, await startRowPostgres(run));
    const environment = { DATABASE_URL: world.url, STOP_DELAY_SECONDS };
    const { hosts, url, untilReady } = await twoBalanced(run, environment);
    await untilReady();
    const submitters = startSubmitters(run, world, {
      baseUrl: url,
      clients: 8,
      cancelShare: 0.05,
      waitSecondsMax: 2,
    });
    for (let deploy = 0; deploy < (run.short ? 1 : 10) && !run.signal.aborted; deploy++) {
      for (const host of hosts) {
        await sleep(run.random.between(300, 1000));
        await host.terminate();
        run.tally.injected++;
        const { exitCode } = host.app;
        run.tally.expect(exitCode() === 0, `a host exited with ${exitCode() ?? "a signal"}`);
        await host.start();
        await untilReady();
      }
    }
    await submitters.stop();
    await world.finish();
    run.tally.expect(
      run.tally.unanswered === 0,
      `${run.tally.unanswered} requests lost their connection before the answer`,
    );
    run.tally.notes.push(`${submitters.acknowledged()} batches acknowledged`);
  },
};

/** With a shape this is nginx, which does not check /readyz and skips a host that refuses a connection. */
async function twoBalanced(run: FaultRun, environment: Record<string, string>) {
  const first = await Host.started(run, environment);
  if (run.shape) return { hosts: first.webs, url: first.url, untilReady: async () => undefined };
  const hosts = [first, await Host.started(run, environment)];
  const balancer = await Balancer.start(hosts.map((host) => host.url));
  run.cleanup.add(() => balancer.stop());
  return { hosts, url: balancer.url, untilReady: () => balancer.untilReady(run.signal) };
}
