import { auditTarget, payoutTarget } from "@/server/audit/audit-person-change";
import { decisionObstacle } from "@/server/batches/change/approve-batch";
import type { ApprovalNeed, TimelineEntry } from "@/server/batches/list/console-schema";
import {
  findBatch,
  findCorrected,
  findCorrections,
  findReversals,
  readMetadata,
  type StoredBatch,
} from "@/server/batches/list/get-batch";
import { databaseNow, readStoredReviews, toConsoleBatches } from "@/server/batches/list/list-console-batches";
import { toTimestamp, withTimes } from "@/server/kernel/batch-rows";
import type { ServiceContext } from "@/server/kernel/context";
import { whoDecides } from "@/server/staff/second-person";
import type { BatchKey } from "@/terms/batch-schema";

const DECISIONS_MAX = 100;

const NEEDS = {
  THRESHOLD: "Its total reaches the contract's approval threshold.",
  DAY: "With it, the contract’s batches of the day that nobody approved reach the daily threshold.",
  REVIEW: "Its review is still running. If it finds nothing unusual, no approval is needed.",
  UNUSUAL: "Its review found something unusual.",
  NOT_REVIEWED: "Its review failed.",
} as const satisfies Record<ApprovalNeed, string>;

/** A batch for its console page, with its timeline. @throws DomainError `batch_not_found` */
export async function describeBatch(ctx: ServiceContext, input: BatchKey) {
  const stored = await findBatch(ctx, input.contractAddress, input.batchId);
  const [[batch], reviews, metadata, now, corrects, correctedBy, reversals] = await Promise.all([
    toConsoleBatches(ctx, [stored]),
    readStoredReviews(ctx, [stored]),
    readMetadata(ctx, [stored]),
    databaseNow(ctx),
    findCorrected(ctx, stored),
    findCorrections(ctx, stored),
    findReversals(ctx, stored),
  ]);
  // No payout has an empty ID.
  const payoutId = batch!.payout?.id ?? "";
  const decided = await readDecisions(ctx, [auditTarget(input), payoutTarget({ ...input, payoutId })]);
  // A payout's release is not of a batch that was cancelled before, or sent again since.
  const end = stored.cancelledAt && toTimestamp(stored.cancelledAt);
  const isOwn = (at: string) => at >= batch!.createdAt && at <= (end ?? at);
  const decisions = decided.filter(({ event, at }) => event !== "released" || isOwn(at));
  // A rejection is what cancelled the batch, at the same time and with the same reason.
  const isRejected = decisions.some(({ event }) => event === "rejected");
  return {
    ...batch!,
    ...(metadata.size > 0 && { metadata: metadata.get(stored.seq)! }),
    digest: stored.digest.toString("hex"),
    /** The findings of its review, if one is unusual; otherwise null. */
    review: reviews.get(stored.seq) ?? null,
    corrects,
    /** IDs of the batches sent in its place, the latest first. */
    correctedBy,
    reversals,
    timeline: [
      ...timeline(stored, now).filter(({ event }) => event !== "cancelled" || !isRejected),
      ...decisions,
    ].sort((one, other) => one.at.localeCompare(other.at)),
    /** Why a second person must approve it, why the reader may not, and who may; null if nobody must. */
    approval:
      batch!.awaitsApproval && stored.approvalNeed !== null
        ? {
            why: NEEDS[stored.approvalNeed as ApprovalNeed],
            obstacle: (await decisionObstacle(ctx, stored)) ?? null,
            who: whoDecides(stored.submittedBy, stored.tokenCreatedBy),
          }
        : null,
    heldBy: stored.heldBy,
    now,
  };
}

function timeline(batch: StoredBatch, now: string): TimelineEntry[] {
  const isOverrun = batch.leaseUntil !== null && toTimestamp(batch.leaseUntil) <= now;
  const overrun = isOverrun ? "Not finished in time. The next finalizer run takes over." : null;
  const steps: [TimelineEntry["event"], Date | null, string | null, string | null, string | null][] = [
    ["created", batch.createdAt, batch.submittedBy, batch.submitRequestId, batch.reversalReason],
    ["claimed", batch.claimedAt, "finalizer", null, overrun],
    ["finalized", batch.finalizedAt, "finalizer", null, null],
    ["cancelled", batch.cancelledAt, batch.cancelledBy, batch.cancelRequestId, batch.cancelReason],
  ];
  return steps.flatMap(([event, at, by, requestId, reason]) =>
    at === null ? [] : [{ event, at: toTimestamp(at), by, requestId, reason }],
  );
}

const DECISIONS = {
  "batch.hold": "held",
  "batch.release": "released",
  "payout.release": "released",
  "batch.approve": "approved",
  "batch.reject": "rejected",
} as const;

/** From the audit log, since the batch has no trace of past holds, nor of reasons for an approval. */
export async function readDecisions({ db: { sql } }: ServiceContext, targets: readonly string[]) {
  const rows = await sql<
    (Omit<TimelineEntry, "event"> & { action: keyof typeof DECISIONS; target: string })[]
  >`
    select target, at, action, actor as by, request_id as "requestId", detail ->> 'reason' as reason
    from audit_log
    where target = any(${[...targets]}::text[]) and action = any(${Object.keys(DECISIONS)}::text[])
    order by id limit ${targets.length * DECISIONS_MAX}`;
  return rows.map(({ action, ...row }) => ({ ...withTimes(row, "at"), event: DECISIONS[action] }));
}

export type ConsoleBatchDetail = Awaited<ReturnType<typeof describeBatch>>;
