import type { Fragment } from "postgres";
import type { Database } from "@/db/client";
import { auditTarget } from "@/server/audit/audit-person-change";
import { decisionObstacle } from "@/server/batches/change/approve-batch";
import { readNotes } from "@/server/batches/change/notes";
import type {
  ApprovalNeed,
  BatchUpload,
  ConsoleBatchDetail,
  TimelineEntry,
} from "@/server/batches/list/console-schema";
import {
  findBatch,
  findCorrected,
  findCorrections,
  findReversals,
  type StoredBatch,
} from "@/server/batches/list/get-batch";
import { databaseNow, toConsoleBatches } from "@/server/batches/list/list-console-batches";
import type { ServiceContext } from "@/server/kernel/context";
import { isDistributed } from "@/server/kernel/shards";
import { toTimestamp, withTimes } from "@/server/kernel/values/batch-rows";
import type { BatchKey } from "@/server/kernel/values/batch-schema";
import { packTransfers, type Transfer } from "@/server/ledger/packed-transfers";

/** The most rows of the recipient index that one batch's recipients are searched in, together. */
const PAYMENTS_READ_MAX = 500_000;

interface Payment {
  contract: Buffer;
  transfers: readonly Transfer[];
  createdAt: string;
  seq: string;
}

/**
 * Recipients that this contract has not paid before, by the recipient index, which lags by a few seconds at most. Only the
 * latest transfers of each wallet are searched: 250 with 2,000 recipients. A wallet that many others have paid since counts as new.
 */
export async function countNewRecipients(
  db: Pick<Database, "sql">,
  { contract, transfers, createdAt, seq }: Payment,
): Promise<number> {
  const { sql } = db;
  const paid = sql`
    paid as materialized (
      select substring(addresses from from_byte for 20) as to_address
      from (select ${packTransfers(transfers).addresses}::text::bytea as addresses) as packed,
        generate_series(1, length(addresses), 20) as from_byte
    )`;
  const before = sql`(r.created_at, r.batch_seq) < (${createdAt}::timestamptz, ${seq}::bigint)`;
  // Citus has no LIMIT in a LATERAL over two distributions, so it reads all transfers of a wallet.
  const known = (await isDistributed(db))
    ? sql`select count(distinct r.to_address)::int as known
        from paid join recipient_transfers r on r.to_address = paid.to_address
        where r.contract_address = ${contract} and ${before}`
    : sql`select count(*)::int as known from paid where exists (
        select 1 from (
          select r.contract_address from recipient_transfers r where r.to_address = paid.to_address and ${before}
          order by r.created_at desc, r.batch_seq desc limit ${Math.floor(PAYMENTS_READ_MAX / transfers.length)}::int
        ) as latest where latest.contract_address = ${contract})`;
  const [row] = await sql<{ known: number }[]>`with ${paid} ${known}`;
  return transfers.length - row!.known;
}

/** Number of earlier finalized batches of the same contract and point type to compare with. */
const EARLIER_MAX = 50;
const READ_MAX = 500;
/** Ages before the batch, newest first, that are read one after another until there are enough. The last range is open. */
const AGES = ["0", "1 hour", "1 day", "7 days"] as const;

/** The batch to compare, as SQL: parameters, or columns of an outer query. */
interface Compared {
  contract: Fragment;
  pointType: Fragment;
  createdAt: Fragment;
  seq: Fragment;
}

/**
 * A select of the newest payments that were already finalized when a batch was submitted: `seq`, `points`, `transfer_count`.
 * Each branch is a bounded range of `batches_by_contract_type_status`, and the limit ends the reading. One long range would
 * read everything finalized since the submit first, which is a lot after a long wait.
 * @param pinned the routing condition on `contract_address`, if there is one
 */
export function earlierFinalized({ sql }: Pick<Database, "sql">, of: Compared, pinned: Fragment = sql``) {
  const branches = AGES.map((age, at) => {
    const oldest = AGES[at + 1];
    return sql`${at > 0 ? sql`union all` : sql``} (
      select seq, points, transfer_count from (
        select seq, points, transfer_count, finalized_at from batches
        where contract_address = ${of.contract} ${pinned} and point_type = ${of.pointType} and status = 'FINALIZED' and reverses_seq is null
          and (created_at, seq) < (${of.createdAt}, ${of.seq})
          and created_at <= ${of.createdAt} - ${age}::text::interval
          ${oldest ? sql`and created_at > ${of.createdAt} - ${oldest}::text::interval` : sql``}
        order by created_at desc, seq desc limit ${READ_MAX}
      ) as newest where finalized_at <= ${of.createdAt})`;
  });
  return sql`select seq, points, transfer_count from (${branches}) as earlier limit ${EARLIER_MAX}`;
}

const DECISIONS_MAX = 100;

/** A batch for its console page, with its timeline. @throws DomainError `batch_not_found` */
export async function describeBatch(ctx: ServiceContext, input: BatchKey): Promise<ConsoleBatchDetail> {
  const stored = await findBatch(ctx, input.contractAddress, input.batchId);
  const [[batch], now, decisions, upload, corrects, correctedBy, reversals, notes] = await Promise.all([
    toConsoleBatches(ctx, [stored]),
    databaseNow(ctx),
    readDecisions(ctx, input),
    findUpload(ctx, stored),
    findCorrected(ctx, stored),
    findCorrections(ctx, stored),
    findReversals(ctx, stored),
    readNotes(ctx, stored),
  ]);
  // A rejection is what cancelled the batch, at the same time and with the same reason.
  const isRejected = decisions.some(({ event }) => event === "rejected");
  return {
    ...batch!,
    digest: stored.digest.toString("hex"),
    waitSeconds: stored.waitSeconds,
    upload,
    notes,
    corrects,
    correctedBy,
    reversals,
    timeline: [
      ...timeline(stored).filter(({ event }) => event !== "cancelled" || !isRejected),
      ...decisions,
    ].sort((one, other) => one.at.localeCompare(other.at)),
    approval:
      batch!.awaitsApproval && stored.approvalNeed !== null
        ? {
            need: stored.approvalNeed as ApprovalNeed,
            obstacle: (await decisionObstacle(ctx, stored)) ?? null,
          }
        : null,
    hold:
      stored.heldBy !== null && stored.holdReason !== null
        ? { by: stored.heldBy, reason: stored.holdReason }
        : null,
    leaseUntil: stored.leaseUntil && toTimestamp(stored.leaseUntil),
    now,
  };
}

async function findUpload(ctx: ServiceContext, batch: StoredBatch): Promise<BatchUpload | null> {
  const [upload] = await ctx.db.sql<BatchUpload[]>`
    select upload_id as id, part, part_count as "partCount", file_name as "fileName" from batch_uploads
    where contract_address = ${batch.contractAddress} and batch_seq = ${batch.seq.toString()}::bigint`;
  return upload ?? null;
}

function timeline(batch: StoredBatch): TimelineEntry[] {
  const steps: [TimelineEntry["event"], Date | null, string | null, string | null, string | null][] = [
    ["created", batch.createdAt, batch.submittedBy, batch.submitRequestId, batch.reversalReason],
    ["claimed", batch.claimedAt, "finalizer", null, null],
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
  "batch.approve": "approved",
  "batch.reject": "rejected",
} as const;

interface AuditRow extends Omit<TimelineEntry, "event"> {
  action: keyof typeof DECISIONS;
}

/** A released batch has no trace of its holds, and reasons for an approval are not in the batch: both come from the audit log. */
async function readDecisions(ctx: ServiceContext, input: BatchKey): Promise<TimelineEntry[]> {
  const rows = await ctx.db.sql<AuditRow[]>`
    select at, action, actor as by, request_id as "requestId", detail ->> 'reason' as reason from audit_log
    where target = ${auditTarget(input)} and action = any(${Object.keys(DECISIONS)}::text[])
    order by id limit ${DECISIONS_MAX}`;
  return rows.map(({ action, ...row }) => ({ ...withTimes(row, "at"), event: DECISIONS[action] }));
}
