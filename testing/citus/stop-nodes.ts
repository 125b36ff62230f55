import { setTimeout as sleep } from "node:timers/promises";
import type { FaultRow, FaultRun } from "../faults/fault-row";
import { Host } from "../faults/hosts";
import { startSubmitters } from "../faults/submitters";
import { openWorld } from "../faults/world";
import { type LocalNode, localNodes } from "./local-nodes";
import { withSql } from "./make-database";
import { CitusDatabases, onEveryNode } from "./test-databases";

const CONTRACTS = 50;
const FINALIZERS = 3;
/** Citus resolves prepared transactions every `citus.recover_2pc_interval`; it may need two rounds. */
const RECOVERED_WITHIN_MS = 60_000;

/** Finalizers and nodes fail, while another host, which is not killed, takes the submits. */
export const stopNodes: FaultRow = {
  name: "stop-nodes",
  fault: "SIGKILL of three finalizers; the coordinator and each worker stopped hard",
  promise: "five of each, at least 2,000 batches of 50 contracts: I1–I7, no prepared transaction left",
  secondsMax: { full: 1800, short: 300 },
  async run(run) {
    const citusUrl = process.env.CITUS_URL!;
    const nodes = await localNodes(citusUrl);
    if (!nodes) throw new Error("a node is not on this machine");
    const [rounds, least] = run.short ? [1, 200] : [5, 2000];
    const databases = await CitusDatabases.make(citusUrl);
    run.cleanup.add(() => databases.dropAll());
    const world = await openWorld(run, await databases.clone(), CONTRACTS);
    const door = await Host.started(run, { DATABASE_URL: world.url, FINALIZER: "off" });
    const submitters = startSubmitters(run, world, {
      baseUrl: door.url,
      clients: CONTRACTS,
      cancelShare: 0.15,
      waitSecondsMax: 3,
      pauseMs: run.short ? 500 : 3000,
    });
    const stops = new Map<string, number>();
    let nodesFail = true;
    const failing = stopInTurn(run, nodes, rounds, stops).finally(() => {
      nodesFail = false;
    });
    failing.catch(() => undefined);
    const kills = await Promise.all(
      Array.from({ length: FINALIZERS }, () => killAgain(run, world.url, rounds, () => nodesFail)),
    );
    await failing;
    await submitters.untilAcknowledged(least);
    await submitters.stop();
    const readsMeanwhile = run.tally.reads;
    run.tally.expect(readsMeanwhile > 0, "the invariants could not be read while nodes failed");
    await Host.started(run, { DATABASE_URL: world.url });
    await world.finish();
    await expectNothingPrepared(run, world.url);
    run.tally.notes.push(
      `${submitters.acknowledged()} batches of ${CONTRACTS} contracts acknowledged, ${world.record.cancelled.size} cancelled`,
      `finalizers killed ${kills.join(", ")} times; ${[...stops].map(([name, count]) => `${name} stopped ${count} times`).join(", ")}`,
      `invariants read ${readsMeanwhile} times meanwhile, ${run.tally.reads - readsMeanwhile} times afterwards`,
    );
  },
};

async function stopInTurn(
  run: FaultRun,
  nodes: readonly LocalNode[],
  rounds: number,
  stops: Map<string, number>,
): Promise<void> {
  const random = run.random.branch();
  const started = (node: LocalNode) => () => node.start();
  for (let round = 0; round < rounds; round++)
    for (const node of nodes) {
      if (run.signal.aborted) return;
      await sleep(random.between(3000, 8000));
      node.stopHard();
      run.tally.injected++;
      stops.set(node.name, (stops.get(node.name) ?? 0) + 1);
      await sleep(random.between(200, 4000)).finally(started(node));
    }
}

/** Starts a finalizer and kills it at random moments, at least `least` times and as long as nodes fail. */
async function killAgain(
  run: FaultRun,
  url: string,
  least: number,
  nodesFail: () => boolean,
): Promise<number> {
  const random = run.random.branch();
  const host = await Host.make(run, { DATABASE_URL: url });
  let kills = 0;
  for (; (kills < least || nodesFail()) && !run.signal.aborted; kills++) {
    await host.launch();
    await sleep(random.between(2000, 15_000));
    await host.kill();
  }
  return kills;
}

async function expectNothingPrepared(run: FaultRun, url: string): Promise<void> {
  const nodes = await onEveryNode(url, new URL(url).pathname.slice(1));
  const prepared = async () => {
    const counts = nodes.map((node) =>
      withSql(node, async (sql) => {
        const [row] = await sql<{ count: number }[]>`
          select count(*)::int as count from pg_prepared_xacts where database = current_database()`;
        return row!.count;
      }),
    );
    return (await Promise.all(counts)).reduce((sum, count) => sum + count);
  };
  for (const endsAt = performance.now() + RECOVERED_WITHIN_MS; performance.now() < endsAt; await sleep(500))
    if ((await prepared()) === 0) return;
  run.tally.violate(`${await prepared()} prepared transactions are left`);
}
