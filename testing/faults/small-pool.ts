import { setTimeout as sleep } from "node:timers/promises";
import { addressToBytes } from "@/server/kernel/values/addresses";
import type { FaultRow } from "./fault-row";
import { Host } from "./hosts";
import { ResponseTimes } from "./response-times";
import { startSubmitters } from "./submitters";
import { openWorld, startRowPostgres, WORLD_POOL_MAX } from "./world";

const POOL = 5;
const CALLERS = 200;
const RECOVERY_MS_MAX = 5000;
const TIMEOUT_SECONDS = 8;
/** The app's own limit on a request, and a little for two hundred at the same time. */
const ANSWER_MS_MAX = (TIMEOUT_SECONDS + 1) * 1000 + 500;

/** Someone else's open transaction locks a contract's account, and so blocks every connection of the app. */
export const smallPool: FaultRow = {
  name: "small-pool",
  fault: "A pool of 5, 200 callers, one slow transaction",
  promise: "only 503 meanwhile, first success within 5 s after it ends, no connection leaked",
  secondsMax: { full: 240, short: 60 },
  async run(run) {
    const world = await openWorld(run, await startRowPostgres(run));
    const times = new ResponseTimes(run);
    const host = await Host.started(run, {
      DATABASE_URL: world.url,
      DATABASE_POOL_MAX: String(POOL),
      DATABASE_TIMEOUT_SECONDS: String(TIMEOUT_SECONDS),
      ...times.environment,
    });
    const submitters = startSubmitters(run, world, {
      baseUrl: host.url,
      clients: CALLERS,
      retries: 0,
      pauseMs: 1000,
    });
    for (let round = 0; round < (run.short ? 1 : 5) && !run.signal.aborted; round++) {
      await sleep(2000);
      await world.db.sql.begin(async (tx) => {
        // In the finalizer's order, so that the two cannot deadlock.
        const contracts = world.callers.map(({ contractAddress }) => addressToBytes(contractAddress));
        await tx`
          select from accounts where address = any(${tx.array(contracts, 17)}::bytea[])
          order by address, point_type for update`;
        run.tally.injected++;
        await sleep(run.short ? 11_000 : 15_000);
      });
      await run.tally.expectRecovery(10, "the transaction ended");
    }
    await submitters.stop();
    times.expectWithin(ANSWER_MS_MAX);
    await world.finish();
    const statuses = [...run.tally.answers.keys()].filter((status) => ![200, 409, 429, 503].includes(status));
    run.tally.expect(statuses.length === 0, `answers were ${statuses.join(", ")}`);
    run.tally.expect(
      run.tally.worstRecoveryMs <= RECOVERY_MS_MAX,
      `the first success came ${run.tally.worstRecoveryMs.toFixed(0)} ms after the transaction ended`,
    );
    const [sessions] = await world.db.sql<{ open: number; stuck: number }[]>`
      select count(*) filter (where application_name = 'postgres.js')::int as open,
        count(*) filter (where state like 'idle in transaction%')::int as stuck
      from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`;
    run.tally.expect(
      sessions!.open < POOL + WORLD_POOL_MAX,
      `${sessions!.open} sessions are open, more than the app and this program should have`,
    );
    run.tally.expect(sessions!.stuck === 0, `${sessions!.stuck} sessions are idle in a transaction`);
  },
};
