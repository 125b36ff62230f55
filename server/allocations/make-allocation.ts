import type { TransactionSql } from "postgres";
import type { Database } from "@/db/client";
import { database } from "@/server/kernel/database";
import { type HeldJob, type HeldJobs, JobLostError, workHeldJob } from "@/server/kernel/held-job";
import { treeHost } from "@/server/kernel/keccak";
import { onOwnPool } from "@/server/kernel/long-work";
import { doEach, startWorkLoop } from "@/server/kernel/work-loop";
import { prepareLongReads } from "@/server/ledger/run-check";
import { snapshotBytes } from "@/server/snapshots/snapshot-text";
import { SNAPSHOT_LOCK, takeRequestedSnapshots } from "@/server/snapshots/take-snapshot";
import { makeClaimTree, sablierRoot, uniswapRoot } from "@/terms/claims/claim-tree";
import { type AllocationTerms, computeFigures, storeClaims } from "./allocate";
import { readClaims } from "./read-claims";
import type { AllocationFigures, AllocationRoots } from "./schema";
import { storeNodes, storePositions } from "./stored-tree";

interface Job extends AllocationTerms, HeldJob {}

/**
 * Makes the allocations that were requested, one after the other. Safe to run concurrently: one worker holds
 * the lock. Each is made in one transaction, so a killed worker leaves nothing, and the next begins again.
 * @param db a pool of two connections or more, which allows long statements
 */
export async function makeAllocations(db: Database, secondsMax?: number): Promise<void> {
  const requested = await db.sql<{ id: string }[]>`
    select id from allocations where status = 'RUNNING' order by requested_at, id`;
  for (const { id } of requested) await workHeldJob(db, id, { ...ALLOCATIONS, secondsMax });
}

/** One of them. Does nothing while another worker holds the lock. */
export const makeAllocation = (db: Database, id: string): Promise<void> => workHeldJob(db, id, ALLOCATIONS);

const ALLOCATIONS: HeldJobs<Job> = {
  lock: { ...SNAPSHOT_LOCK, key: 2 },
  open: (db, hold) => db.sql.begin(hold),
  begin,
  async work(_db, tx, job) {
    const id = snapshotBytes(job.id);
    await prepareLongReads(tx);
    const figures = await computeFigures(tx, job);
    await storeClaims(tx, id, job);
    await finish(tx, job, figures, await makeTrees(tx, id, figures.claims));
  },
  fail,
};

async function begin({ sql }: Database, id: string, claimId: string): Promise<Job | undefined> {
  const [job] = await sql<Job[]>`
    update allocations set worker_id = ${claimId}::uuid, attempts = attempts + 1
    where id = ${id}::uuid and status = 'RUNNING'
    returning id, worker_id as "claimId", attempts, snapshot_id as "snapshotId", rule, total::text,
      trim_scale(rate)::text as rate, decimals, minimum::text, excluded`;
  return job;
}

type Roots = Record<keyof AllocationRoots, Uint8Array | null>;

/** Stores the tree that proofs are read from. Of the other two the root is enough. */
async function makeTrees(tx: TransactionSql, id: Buffer, count: number): Promise<Roots> {
  const read = readClaims(tx, id, count);
  const host = await treeHost();
  const { root, nodes, positions } = await makeClaimTree(host, read, count);
  await storePositions(tx, id, positions);
  await storeNodes(tx, id, nodes);
  return {
    openzeppelin: root,
    uniswap: await uniswapRoot(host, read, count),
    sablier: await sablierRoot(host, read, count),
  };
}

/** From here on it never changes. */
async function finish(tx: TransactionSql, job: Job, figures: AllocationFigures, roots: Roots): Promise<void> {
  const { claims, withoutClaim, sum, dust, smallest, median, largest } = figures;
  const finished = await tx`
    with moment as materialized (select clock_timestamp() as at)
    update allocations set status = 'READY', finished_at = m.at, claims = ${claims}::int,
      without_claim = ${withoutClaim}::bigint, sum = ${sum}::text::numeric, dust = ${dust}::text::numeric,
      smallest = ${smallest}::text::numeric, median = ${median}::text::numeric,
      largest = ${largest}::text::numeric, root = ${roots.openzeppelin}, uniswap_root = ${roots.uniswap},
      sablier_root = ${roots.sablier}::bytea
    from moment m
    where id = ${job.id}::uuid and worker_id = ${job.claimId}::uuid and status = 'RUNNING' returning 1`;
  if (finished.length === 0) throw new JobLostError();
}

async function fail({ sql }: Database, id: string, claimId: string | null, failure: string) {
  await sql`
    update allocations set status = 'FAILED', finished_at = now(), failure = ${failure}
    where id = ${id}::uuid and worker_id = ${claimId}::uuid and status = 'RUNNING'`;
}

export const allocationIsRequested = async (): Promise<boolean> =>
  (await database().sql`select 1 from allocations where status = 'RUNNING' limit 1`).length > 0;

/** Makes what was requested, if anything was, on a pool of its own. @throws TooLateError */
export async function makeRequestedAllocations(secondsMax: number): Promise<void> {
  if (await allocationIsRequested()) await onOwnPool(secondsMax, ({ db }) => makeAllocations(db, secondsMax));
}

const TICK_MS = 1000;
const SECONDS_MAX = 900;

/** One worker for both, so that they share the disk one after the other. */
export const startSnapshotWorker = () =>
  startWorkLoop({
    everyMs: TICK_MS,
    work: (isStopping) =>
      doEach([
        () => takeRequestedSnapshots(SECONDS_MAX),
        async () => isStopping() || makeRequestedAllocations(SECONDS_MAX),
      ]),
    failure: "taking a snapshot or making an allocation failed, retrying",
  });
