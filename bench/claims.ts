import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "@/db/client";
import { removeAllocationsOf } from "@/server/allocations/delete-allocation";
import { publishAllocation } from "@/server/allocations/publish-allocation";
import { requestAllocation } from "@/server/allocations/request-allocation";
import { RequestAllocationInput } from "@/server/allocations/schema";
import { deleteSnapshot } from "@/server/snapshots/delete-snapshot";
import { requestSnapshot } from "@/server/snapshots/request-snapshot";
import { allocationOf, snapshotOf, staffContext, testContext } from "@/testing/factories";
import { type Contender, startApp } from "./contenders";
import { measureLoad } from "./load";
import type { LoadPlan } from "./load-plan";
import { type BenchOptions, compare, short, table } from "./measure";
import { measureTree } from "./tree";
import { type Caller, seedBatches, type World } from "./world";

const HOLDERS = 1_000_000;
/** A million do not fit into the peer's memory, at about 2.4 kB a leaf. */
const PEER_LEAVES = 100_000;
const POINT_TYPE = "PHASE2_POINTS";
/** Sixteen connections then submit 160 batches a second, which leaves the machine time for the other work. */
const SUBMIT_EVERY_MS = 100;
const SUBMIT_SECONDS = 20;

/** Its workers take snapshots and finalize, and nothing that is public is refused. */
const ENVIRONMENT = {
  FINALIZER: "on",
  MINIMUM_FINALIZE_SECONDS: "1",
  PUBLIC_RATE_LIMIT_PER_MINUTE: "1000000",
};

const requestOf = (snapshotId: string) =>
  RequestAllocationInput.parse({
    ...{ snapshotId, name: "Bench", rule: "PRO_RATA", total: `1${"0".repeat(24)}`, decimals: 18 },
  });

/** What a snapshot and an allocation of a million holders cost, and what submits notice of them. */
export async function benchClaims({ rounds, seconds, wants }: BenchOptions, world: World): Promise<string> {
  const { db, url } = await world.newDatabase("claims");
  const callers = await seedBatches(db, { batches: 16, transfersEach: 10, recipients: 100_000, due: false });
  await seedHolders(db);
  const rows: string[][] = [];
  const add = (row: string[]) => {
    rows.push(row);
    console.log(`  ${row.join(" | ")}`);
  };
  if (wants("snapshot")) {
    const { one, other, ratio } = await compare(
      rounds,
      () => takeSeconds(db),
      () => copySeconds(db),
    );
    const rate = (taken: number) => `${short(HOLDERS / taken)} holders/s`;
    const inverse = ratio((taken, copied) => copied / taken);
    add(["snapshot taken, stored, digested ÷ plain copy", rate(one), rate(other), inverse, "≥ 0.5"]);
  }
  if (wants("tree")) {
    let megabytes = 0;
    const ours = async () => {
      const made = await measureTree("ours", HOLDERS);
      megabytes = Math.max(megabytes, made.megabytes);
      return made.leafMicroseconds;
    };
    const peer = async () => (await measureTree("OpenZeppelin", PEER_LEAVES)).leafMicroseconds;
    const { one, other, ratio } = await compare(rounds, ours, peer);
    const inverse = ratio((own, theirs) => theirs / own);
    const of = (leaf: number, leaves: number) => `${short(leaf)} µs a leaf, ${leaves.toLocaleString("en")}`;
    add(["tree ÷ OpenZeppelin's", of(one, HOLDERS), of(other, PEER_LEAVES), inverse, "≥ 15"]);
    add(["memory of the tree above idle", `${short(megabytes)} MB at most`, "", "", "≤ 250 MB"]);
  }
  if (wants("proof") || wants("submits")) {
    // Before the app runs, which may be paused within a transaction that a snapshot would wait for.
    const claims = await publishClaims(db);
    const app = await startApp(world, url, { environment: ENVIRONMENT });
    if (wants("proof")) add(await proofRow({ claims, app, callers, seconds, rounds, world }));
    if (wants("submits")) for (const row of await submitRows({ db, app, callers, rounds, world })) add(row);
  }
  return table(["a million holders", "this", "compared with", "ratio", "must"], rows);
}

/** In no order of addresses, as a ledger gets them. */
async function seedHolders({ sql }: Database): Promise<void> {
  await sql`
    insert into accounts (address, point_type, received)
    select substring(sha256(n::text::bytea) for 20), ${POINT_TYPE}::point_type,
      1 + n % 997 + n % 100 * 0.01 + 0.001
    from generate_series(1, ${HOLDERS}::int) as n`;
  await sql`
    update accounts set earned = earned + s.total, sent = sent + s.total
    from (select sum(received) as total from accounts) as s
    where address = (select min(address) from contracts) and point_type = ${POINT_TYPE}::point_type`;
  await sql`vacuum analyze`;
  await sql`checkpoint`;
}

async function secondsOf(work: () => PromiseLike<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return (performance.now() - startedAt) / 1000;
}

/** Written by Postgres itself, into its own folder. */
async function copySeconds({ sql }: Database): Promise<number> {
  const [folder] = await sql<{ path: string }[]>`select current_setting('data_directory') as path`;
  const rows = `select address, earned + received - sent from accounts
    where point_type = '${POINT_TYPE}' order by address`;
  return await secondsOf(() => sql.unsafe(`copy (${rows}) to '${folder!.path}/copied.txt'`));
}

/** With the moments until transactions of its instant have ended. */
async function takeSeconds(db: Database): Promise<number> {
  let taken = "";
  const seconds = await secondsOf(async () => {
    const snapshot = await snapshotOf(db, { pointType: POINT_TYPE });
    if (snapshot.holders < HOLDERS) throw new Error(`${snapshot.holders} holders: ${snapshot.failure}`);
    taken = snapshot.id;
  });
  await deleteSnapshot(testContext(db, "ops"), { snapshotId: taken }, removeAllocationsOf);
  await db.sql`vacuum snapshot_holders`;
  return seconds;
}

interface Served {
  db: Database;
  app: Contender;
  callers: Caller[];
  rounds: number;
  world: World;
}

/** @returns paths of claims */
async function publishClaims(db: Database): Promise<string[]> {
  const snapshot = await snapshotOf(db, { pointType: POINT_TYPE });
  const { id } = await allocationOf(db, requestOf(snapshot.id));
  await publishAllocation(staffContext(db), { allocationId: id });
  const claimed = await db.sql<{ address: string }[]>`
    select '0x' || encode(address, 'hex') as address from accounts
    where received > 0 and sent = 0 limit 1000`;
  return claimed.map(({ address }) => `/v1/allocations/${id}/claims/${address}`);
}

interface Proofs extends Omit<Served, "db"> {
  claims: string[];
  seconds: number;
}

/** A claim with its proof next to a batch with ten transfers, by the CPU time of service and Postgres. */
async function proofRow({ claims, app, callers, seconds, rounds, world }: Proofs): Promise<string[]> {
  const batch = `/v1/contracts/${callers[0]!.contractAddress}/batches/seed-0`;
  const cpuMs = (paths: string[]) => async () => {
    const plan: LoadPlan = { url: app.url, seconds, work: { paths }, callers };
    const { serviceCpuMs, databaseCpuMs } = await measureLoad(plan, app, world.postgresPid);
    return serviceCpuMs + databaseCpuMs;
  };
  const { one, other, ratio } = await compare(rounds, cpuMs(claims), cpuMs([batch]));
  const cpu = (ms: number) => `${short(ms)} ms CPU`;
  return ["proof by REST ÷ get of a batch of 10", cpu(one), cpu(other), ratio((a, b) => a / b), "≤ 2"];
}

/** Batches of ten at a fixed rate, with and without snapshots and allocations made one after the other. */
async function submitRows({ db, app, callers, rounds, world }: Served): Promise<string[][]> {
  const work = { transfers: 10, letters: "eip55", bodies: 4096, secondsToFinalize: 1 } as const;
  const plan: LoadPlan = { url: app.url, seconds: SUBMIT_SECONDS, everyMs: SUBMIT_EVERY_MS, work, callers };
  const finalizedOf: Record<"busy" | "quiet", number[]> = { busy: [], quiet: [] };
  const finalized = async () =>
    (
      await db.sql<{ count: number }[]>`
      select count(*)::int as count from batches where status = 'FINALIZED'`
    )[0]!.count;
  const measure = async (kind: "busy" | "quiet") => {
    const before = await finalized();
    const loaded = await measureLoad(plan, app, world.postgresPid);
    finalizedOf[kind].push(((await finalized()) - before) / SUBMIT_SECONDS);
    return loaded.p99Ms;
  };
  let made = 0;
  const busy = async () => {
    const stop = new AbortController();
    const working = makeUntil(db, stop.signal);
    // It is awaited later, and must not count as unhandled until then.
    working.catch(() => undefined);
    const p99Ms = await measure("busy");
    stop.abort();
    await app.resume();
    made += await working;
    app.pause();
    return p99Ms;
  };
  const { one, other, ratio } = await compare(rounds, busy, () => measure("quiet"));
  const ms = (p99: number) => `p99 ${short(p99)} ms`;
  const rate = (rates: number[]) => `${short(Math.min(...rates))} batches/s at least`;
  return [
    [
      `submits of 10 during ${made} snapshots and allocations ÷ without`,
      ms(one),
      ms(other),
      ratio((a, b) => a / b),
      "≤ 2",
    ],
    ["finalizing meanwhile", rate(finalizedOf.busy), rate(finalizedOf.quiet), "", "continues"],
  ];
}

/** @returns how often both were made */
async function makeUntil(db: Database, signal: AbortSignal): Promise<number> {
  const ctx = testContext(db, "ops");
  const until = async (find: () => PromiseLike<readonly { status: string }[]>) => {
    for (;;) {
      const [found] = await find();
      if (found!.status === "FAILED") throw new Error("a snapshot or an allocation failed");
      if (found!.status !== "RUNNING") return;
      await sleep(100);
    }
  };
  for (let made = 0; ; made++) {
    if (signal.aborted) return made;
    const snapshot = await requestSnapshot(ctx, { pointType: POINT_TYPE });
    await until(() => db.sql<{ status: string }[]>`select status from snapshots where id = ${snapshot.id}`);
    const { id } = await requestAllocation(ctx, requestOf(snapshot.id));
    await until(() => db.sql<{ status: string }[]>`select status from allocations where id = ${id}`);
    await deleteSnapshot(ctx, { snapshotId: snapshot.id }, removeAllocationsOf);
  }
}
