import type { TransactionSql } from "postgres";
import type { Database } from "@/db/client";
import { withTimeLimit } from "@/db/session-settings";
import {
  type HeldJob,
  type HeldJobs,
  inFirstHalf,
  keepPart,
  requestedWork,
  workHeldJob,
} from "@/server/kernel/held-job";
import { treeHost } from "@/server/kernel/keccak";
import { LONG_WORK_SECONDS_MAX } from "@/server/kernel/long-work";
import { doEach, startWorkLoop } from "@/server/kernel/work-loop";
import { prepareLongReads } from "@/server/ledger/run-check";
import { snapshotBytes } from "@/server/snapshots/snapshot-text";
import { requestedSnapshots, SNAPSHOT_LOCK } from "@/server/snapshots/take-snapshot";
import { makeClaimTree, sablierRoot, uniswapRoot } from "@/terms/claims/claim-tree";
import { type AllocationTerms, computeFigures, storeClaims } from "./allocate";
import { deleteClaims } from "./delete-allocation";
import { countClaims, readClaims } from "./read-claims";
import type { AllocationFigures } from "./schema";
import { storeNodes, storePositions } from "./stored-tree";

type Job = AllocationTerms & HeldJob & Record<"hasTree" | "hasUniswapRoot", boolean>;

/**
 * Makes the allocations that were requested, one after the other. Safe to run concurrently: one worker holds
 * the lock. What a killed one had completed is kept, and the next continues: a snapshot never changes.
 * @param db a pool of two connections or more, which allows long statements
 */
export async function makeAllocations(db: Database, secondsMax?: number): Promise<void> {
  const requested = await db.sql<{ id: string }[]>`
    select id from allocations where status = 'RUNNING' order by requested_at, id`;
  for (const { id } of inFirstHalf(requested, secondsMax))
    await workHeldJob(db, id, { ...ALLOCATIONS, secondsMax });
}

const ALLOCATIONS: HeldJobs<Job> = {
  table: "allocations",
  claimColumn: "worker_id",
  lock: { ...SNAPSHOT_LOCK, key: 2 },
  open: (db, hold) => db.sql.begin(hold),
  read: (sql) => sql`snapshot_id as "snapshotId", rule, total::text, trim_scale(rate)::text as rate, decimals,
    minimum::text, excluded, root is not null as "hasTree", uniswap_root is not null as "hasUniswapRoot"`,
  work: (db, _lock, job) => completeParts(db, job),
  reset: (tx) => tx`, root = null, uniswap_root = null`,
  deleteParts: deleteClaims,
};

/** The claims, the tree that proofs are read from, and the roots of two others, of which that is enough. */
async function completeParts(db: Database, job: Job): Promise<void> {
  const id = snapshotBytes(job.id);
  const host = await treeHost();
  const complete = (part: (tx: TransactionSql) => Promise<void>) =>
    db.sql.begin(async (tx) => {
      await withTimeLimit(tx, job.secondsMax ?? 0);
      await prepareLongReads(tx);
      await part(tx);
    });
  let figures = null as AllocationFigures | null;
  if ((await countClaims(db.sql, id)) === 0)
    await complete(async (tx) => {
      figures = await computeFigures(tx, job);
      await storeClaims(tx, id, job);
      await keepPart(tx, ALLOCATIONS, job, tx``);
    });
  const count = await countClaims(db.sql, id);
  const read = readClaims(db.sql, id, count);
  if (!job.hasTree) {
    const { root, nodes, positions } = await makeClaimTree(host, read, count);
    await complete(async (tx) => {
      await storeNodes(tx, id, nodes);
      // Before rows are locked that a delete needs after this one.
      await keepPart(tx, ALLOCATIONS, job, tx`, root = ${root}`);
      await storePositions(tx, id, positions);
    });
  }
  if (!job.hasUniswapRoot) {
    const root = await uniswapRoot(host, read, count);
    await complete((tx) => keepPart(tx, ALLOCATIONS, job, tx`, uniswap_root = ${root}`));
  }
  const root = await sablierRoot(host, read, count);
  await complete(async (tx) => finish(tx, job, figures ?? (await computeFigures(tx, job)), root));
}

/** From here on it never changes. */
function finish(tx: TransactionSql, job: Job, figures: AllocationFigures, root: Uint8Array | null) {
  const { claims, withoutClaim, sum, dust, smallest, median, largest } = figures;
  const result = tx`, status = 'READY', finished_at = now(), claims = ${claims}::int,
    without_claim = ${withoutClaim}::bigint, sum = ${sum}::text::numeric, dust = ${dust}::text::numeric,
    smallest = ${smallest}::text::numeric, median = ${median}::text::numeric,
    largest = ${largest}::text::numeric, sablier_root = ${root}::bytea`;
  return keepPart(tx, ALLOCATIONS, job, result);
}

export const requestedAllocations = requestedWork("allocations", makeAllocations);

const TICK_MS = 1000;

/** One worker for both, so that they share the disk one after the other. */
export const startSnapshotWorker = () =>
  startWorkLoop({
    everyMs: TICK_MS,
    work: (isStopping) =>
      doEach(
        [requestedSnapshots, requestedAllocations].map(
          (all) => async () => !isStopping() && (await all.isDue()) && all.work(LONG_WORK_SECONDS_MAX),
        ),
      ),
    failure: "taking a snapshot or making an allocation failed, retrying",
  });
