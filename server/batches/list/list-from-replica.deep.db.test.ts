import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { createDatabase, type Database } from "@/db/client";
import { createReplica, type Replica } from "@/db/replica";
import { makeBadInputWorld } from "@/testing/bad-input-world";
import { batchOf, newContract, submit, testContext, times } from "@/testing/factories";
import { FaultProxy } from "@/testing/fault-proxy";
import { holdSubmit } from "@/testing/held-submit";
import { serveFrom, toRestRequest } from "@/testing/rest-request";
import { type PrimaryAndReplica, startWithReplica } from "@/testing/streaming-replica";
import { cancelBatch } from "../change/cancel-batch";
import { countFacets, countNewer } from "./count-batches";
import { exportBatches } from "./export-batches";
import { type BatchQuery, listBatches } from "./list-batches";

const POOL = { poolMax: 10, timeoutSeconds: 5, pooler: "none" } as const;

let servers: PrimaryAndReplica;
let primary: Database;
let standby: Database;
let proxy: FaultProxy;
let contractAddress: string;
const replicas: Replica[] = [];

beforeAll(async () => {
  servers = await startWithReplica({ fsync: "off", synchronous_commit: "on" });
  primary = createDatabase({ ...POOL, url: servers.primaryUrl });
  standby = createDatabase({ ...POOL, url: servers.replicaUrl });
  proxy = await FaultProxy.start(servers.replicaUrl);
});
afterAll(async () => {
  await Promise.all(replicas.map((replica) => replica.close()));
  await proxy?.stop();
  await Promise.all([primary?.close(), standby?.close()]);
  await servers?.stop();
});
beforeEach(async () => {
  contractAddress = await newContract(primary);
});

/** Acts as another process on the same two servers. */
function process(waitMs = 5000) {
  const replica = createReplica({ ...POOL, url: proxy.through(servers.replicaUrl), waitMs });
  replicas.push(replica);
  const ctx = { ...testContext(primary), replica };
  const ids = async (query: BatchQuery = {}) =>
    (await listBatches(ctx, { contractAddress, ...query })).rows.map(({ id }) => id);
  return { ctx, ids, answered: replica.answered };
}

/** Reads until the replica answers. On a busy machine it may lag, and the primary answers meanwhile. */
async function byReplica<T>({ answered }: Pick<Replica, "answered">, read: () => Promise<T>): Promise<T> {
  const before = answered.byReplica;
  for (;;) {
    const result = await read();
    if (answered.byReplica > before) return result;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const pauseReplay = () => standby.sql`select pg_wal_replay_pause()`;
const resumeReplay = () => standby.sql`select pg_wal_replay_resume()`;
const batch = (batchId: string) => batchOf(contractAddress, [[1, "1"]], { batchId, secondsToFinalize: 3600 });

test("the replica answers lists, counts and exports", async () => {
  const { ctx, ids, answered } = process();
  await submit(primary, batch("seen"));
  expect(await byReplica({ answered }, ids)).toEqual(["seen"]);
  const facets = await byReplica({ answered }, () => countFacets(ctx, { contractAddress }));
  expect(facets.statuses.PENDING).toBe(1);
  expect(await byReplica({ answered }, () => countNewer(ctx, { contractAddress }, null))).toBe(1);
  const exported = await byReplica({ answered }, async () => {
    const rows = [];
    for await (const page of exportBatches(ctx, { contractAddress })) rows.push(...page);
    return rows;
  });
  expect(exported.map(({ id }) => id)).toEqual(["seen"]);
});

test("a write by one process is in the next list of every process, even while the replica's replay is paused", async () => {
  const processes = [process(50), process(50)];
  await pauseReplay();
  try {
    await submit(primary, batch("cancelled-later"));
    for (const { ids } of processes) expect(await ids()).toEqual(["cancelled-later"]);
    await cancelBatch(processes[0]!.ctx, { contractAddress, batchId: "cancelled-later" });
    for (const { ids } of processes)
      expect(await ids({ statuses: ["CANCELLED"] })).toEqual(["cancelled-later"]);
    for (const { ctx } of processes)
      expect((await countFacets(ctx, { contractAddress })).statuses.CANCELLED).toBe(1);
  } finally {
    await resumeReplay();
  }
  expect(processes.map(({ answered }) => answered.byReplica)).toEqual([0, 0]);
});

test("a replica that has caught up is used again", async () => {
  const { ids, answered } = process(50);
  await pauseReplay();
  await submit(primary, batch("late"));
  expect(await ids()).toEqual(["late"]);
  await resumeReplay();
  expect(await byReplica({ answered }, ids)).toEqual(["late"]);
});

test("eight callers in two processes see their own writes immediately, from either server", async () => {
  const processes = [process(), process()];
  await times(8, async (caller) => {
    for (let round = 0; round < 20; round++) {
      const batchId = `b${caller}-${round}`;
      await submit(primary, batch(batchId));
      expect(await processes[(caller + round) % 2]!.ids({ limit: 200 })).toContain(batchId);
    }
  });
  for (const { answered, ids } of processes) await byReplica({ answered }, ids);
});

test("a commit that returns before it is flushed is visible too", async () => {
  await primary.sql`alter role current_user set synchronous_commit = off`;
  const hasty = createDatabase({ ...POOL, url: servers.primaryUrl });
  try {
    const { ids, answered } = process();
    for (let round = 0; answered.byReplica < 20; round++) {
      await submit(hasty, batch(`hasty-${round}`));
      expect(await ids({ limit: 200 })).toContain(`hasty-${round}`);
    }
  } finally {
    await primary.sql`alter role current_user reset synchronous_commit`;
    await hasty.close();
  }
});

test("an ascending list waits for a submit in flight that the replica cannot see", async () => {
  const { ids, answered } = process();
  const held = await holdSubmit(primary, { ...batch("held"), pointType: "PHASE2_GOLD" });
  await submit(primary, batch("after"));
  const ascending = () => byReplica({ answered }, () => ids({ sort: "ASC" }));
  expect(await ascending()).toEqual([]);
  await held.release();
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(await ascending()).toEqual(["held", "after"]);
});

test.each(["blackhole", "reset", "hangup", "refuse"] as const)(
  "the primary answers when the replica's network fails: %s",
  async (mode) => {
    const { ids, answered } = process(200);
    await submit(primary, batch("there"));
    await proxy.set(mode);
    expect(await times(20, () => ids())).toEqual(Array(20).fill(["there"]));
    await proxy.set("ok");
    expect(answered).toEqual({ byReplica: 0, byPrimary: 20 });
  },
);

test("losing the replica during a read does not fail the request", async () => {
  const { ctx, answered } = process();
  const rows = await ctx.replica.read(primary, async (db) => {
    if (db !== primary) await primary.sql`select 1`.then(() => proxy.set("blackhole"));
    return db.sql`select 1 as one`;
  });
  await proxy.set("ok");
  expect(rows).toMatchObject([{ one: 1 }]);
  expect(answered).toEqual({ byReplica: 0, byPrimary: 1 });
});

test("the configured replica answers a contract's list over REST", async () => {
  serveFrom({ url: servers.primaryUrl });
  vi.stubEnv("DATABASE_REPLICA_URL", servers.replicaUrl);
  vi.stubEnv("DATABASE_REPLICA_WAIT_MS", "2000");
  const world = await makeBadInputWorld(primary);
  const { handleRest } = await import("../../rest/handler");
  const { database, replica } = await import("../../kernel/database");
  const path = `/v1/contracts/${world.contract}/batches?limit=1`;
  const headers = [["Authorization", `Bearer ${world.tokens.own}`]] as const;
  const list = () => handleRest(toRestRequest({ method: "GET", path, headers, body: [] }));
  expect((await byReplica(replica()!, list)).status).toBe(200);
  await Promise.all([database().close(), replica()?.close()]);
  vi.unstubAllEnvs();
});

// Must be last, since a promotion cannot be undone.
test("a promoted replica is not used, even if its log is ahead", async () => {
  const { ids, answered } = process();
  await standby.sql`select pg_promote()`;
  await standby.sql`create table ahead as select generate_series(1, 100000)`;
  await submit(primary, batch("only-here"));
  expect(await ids()).toEqual(["only-here"]);
  expect(answered).toEqual({ byReplica: 0, byPrimary: 1 });
});
