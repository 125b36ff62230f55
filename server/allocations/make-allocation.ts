import { randomUUID } from "node:crypto";
import type { TransactionSql } from "postgres";
import type { Database } from "@/db/client";
import { database } from "@/server/kernel/database";
import { log } from "@/server/kernel/log";
import { inTurn, startWorkLoop } from "@/server/kernel/work-loop";
import { prepareLongReads } from "@/server/ledger/run-check";
import { snapshotBytes } from "@/server/ledger/snapshot-text";
import { onOwnPool } from "@/server/operations/self-check";
import { ATTEMPTS_MAX, SNAPSHOT_LOCK, takeRequestedSnapshots } from "@/server/snapshots/take-snapshot";
import { DomainError } from "@/terms/problems";
import { type AllocationTerms, computeFigures, storeClaims } from "./allocate";
import { makeClaimTree, sablierRoot, uniswapRoot } from "./claim-tree";
import { readClaims } from "./read-claims";
import type { AllocationFigures } from "./schema";
import { storeNodes, storePositions } from "./stored-tree";

/** Under it one allocation at a time is made, over all instances on the database. */
const ALLOCATION_LOCK = { ...SNAPSHOT_LOCK, key: 2 };

interface Job extends AllocationTerms {
  id: string;
  workerId: string;
  attempts: number;
}

/** Somebody deleted the allocation, or another worker has begun it again. */
class JobLostError extends Error {
  override name = "JobLostError";
}

/**
 * Makes the allocations that were requested, one after the other. Safe to run concurrently: one worker holds
 * the lock. Each is made in one transaction, so a killed worker leaves nothing, and the next begins again.
 * @param db a pool of two connections or more, which allows long statements
 */
export async function makeAllocations(db: Database, isStopping: () => boolean = () => false): Promise<void> {
  const requested = await db.sql<{ id: string }[]>`
    select id from allocations where status = 'RUNNING' order by requested_at, id`;
  for (const { id } of requested) {
    if (isStopping()) return;
    await makeAllocation(db, id);
  }
}

/** One of them. Does nothing while another worker holds the lock. */
export async function makeAllocation(db: Database, id: string): Promise<void> {
  let job: Job | null = null;
  try {
    await db.sql.begin(async (tx) => {
      if (!(await tryLock(tx))) return;
      job = await begin(db, id);
      if (!job) return;
      await prepareLongReads(tx);
      const figures = await computeFigures(tx, job);
      await storeClaims(tx, snapshotBytes(id), job);
      await finish(tx, job, figures, await makeTrees(tx, snapshotBytes(id), figures.claims));
    });
  } catch (error) {
    const { workerId, attempts } = job ?? ({} as Job);
    if (error instanceof JobLostError) return;
    const isRefused = error instanceof DomainError;
    if (!workerId || (!isRefused && attempts < ATTEMPTS_MAX)) throw error;
    if (!isRefused) log().error({ error, allocationId: id }, "an allocation could not be made");
    await fail(db, id, workerId, isRefused ? error.message : "It failed. The log has the details.");
  }
}

/** The transaction that has it may take as long as it needs. */
async function tryLock(tx: TransactionSql): Promise<boolean> {
  const { space, key } = ALLOCATION_LOCK;
  const [lock] = await tx<{ isMine: boolean }[]>`
    select pg_try_advisory_xact_lock(${space}::int, ${key}::int) as "isMine",
      set_config('statement_timeout', '0', true),
      set_config('idle_in_transaction_session_timeout', '0', true)`;
  return lock!.isMine;
}

/** On a connection of its own, so that attempts are counted even if this one is interrupted. */
async function begin(db: Database, id: string): Promise<Job | null> {
  const workerId = randomUUID();
  const [job] = await db.sql<Job[]>`
    update allocations set worker_id = ${workerId}::uuid, attempts = attempts + 1
    where id = ${id}::uuid and status = 'RUNNING'
    returning id, worker_id as "workerId", attempts, snapshot_id as "snapshotId", rule, total::text,
      trim_scale(rate)::text as rate, decimals, minimum::text, excluded`;
  if (!job || job.attempts <= ATTEMPTS_MAX) return job ?? null;
  await fail(db, id, workerId, `It was interrupted ${ATTEMPTS_MAX} times.`);
  return null;
}

type Roots = { root: Uint8Array; uniswap: Uint8Array; sablier: Uint8Array | null };

/** Stores the tree that proofs are read from. Of the other two the root is enough. */
async function makeTrees(tx: TransactionSql, id: Buffer, count: number): Promise<Roots> {
  const read = readClaims(tx, id, count);
  const { root, nodes, positions } = await makeClaimTree(read, count);
  await storePositions(tx, id, positions);
  await storeNodes(tx, id, nodes);
  return { root, uniswap: await uniswapRoot(read, count), sablier: await sablierRoot(read, count) };
}

/** From here on it never changes. */
async function finish(tx: TransactionSql, job: Job, figures: AllocationFigures, roots: Roots): Promise<void> {
  const { claims, withoutClaim, sum, dust, smallest, median, largest } = figures;
  const finished = await tx`
    with moment as materialized (select clock_timestamp() as at)
    update allocations set status = 'READY', finished_at = m.at, claims = ${claims}::int,
      without_claim = ${withoutClaim}::bigint, sum = ${sum}::text::numeric, dust = ${dust}::text::numeric,
      smallest = ${smallest}::text::numeric, median = ${median}::text::numeric,
      largest = ${largest}::text::numeric, root = ${roots.root}, uniswap_root = ${roots.uniswap},
      sablier_root = ${roots.sablier}::bytea
    from moment m
    where id = ${job.id}::uuid and worker_id = ${job.workerId}::uuid and status = 'RUNNING' returning 1`;
  if (finished.length === 0)
    throw new JobLostError("The allocation was deleted, or belongs to another worker.");
}

/** @param workerId so that it ends nothing that another worker has begun again */
const fail = (db: Database, id: string, workerId: string, failure: string) => db.sql`
  update allocations set status = 'FAILED', finished_at = now(), failure = ${failure}
  where id = ${id}::uuid and worker_id = ${workerId}::uuid and status = 'RUNNING'`;

/** Makes what was requested, if anything was, on a pool of its own. */
export async function makeRequestedAllocations(
  secondsMax: number,
  isStopping?: () => boolean,
): Promise<void> {
  const requested = await database().sql`select 1 from allocations where status = 'RUNNING' limit 1`;
  if (requested.length > 0) await onOwnPool(secondsMax, ({ db }) => makeAllocations(db, isStopping));
}

const TICK_MS = 1000;
const SECONDS_MAX = 900;

/** One worker for both, so that they share the disk one after the other. */
export const startSnapshotWorker = () =>
  startWorkLoop({
    everyMs: TICK_MS,
    work: (isStopping) =>
      inTurn([
        () => takeRequestedSnapshots(SECONDS_MAX, isStopping),
        () => makeRequestedAllocations(SECONDS_MAX, isStopping),
      ]),
    failure: "taking a snapshot or making an allocation failed, retrying",
  });
