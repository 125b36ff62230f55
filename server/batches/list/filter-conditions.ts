import {
  and,
  eq,
  gte,
  inArray,
  isNotNull,
  isNull,
  lt,
  not,
  or,
  type SQL,
  type SQLWrapper,
  sql,
} from "drizzle-orm";
import { batches } from "@/db/schema/batches";
import { batchUploads } from "@/db/schema/uploads";
import {
  BATCH_STATUSES,
  type BatchStatus,
  OVERDUE_AFTER_SECONDS,
  POINT_TYPES,
} from "@/server/kernel/values/batch-terms";
import { boundAfter, boundBefore } from "@/server/kernel/values/fields";
import type { CursorPosition } from "../../kernel/cursor";
import { addressFromBytes, addressToBytes } from "../../kernel/values/addresses";
import { BatchFilters } from "./console-schema";
import { INDEX_COLUMNS, unusualEntries } from "./index-table";

/**
 * All filters except creation time and recipient, as conditions on `batches`. `overdue` also needs one of its branches.
 * @param now the database's clock when absent
 */
export function filterConditions(filters: BatchFilters, now?: SQL): SQL | undefined {
  const { contractAddress, statuses, pointType, idPrefix, minimumPoints, submittedBy, uploadId } = filters;
  return and(
    contractAddress ? eq(batches.contractAddress, addressToBytes(contractAddress)) : undefined,
    statuses?.length === 1 ? eq(batches.status, statuses[0]!) : undefined,
    statuses && statuses.length > 1 ? inArray(batches.status, statuses) : undefined,
    // The index by amount begins with the type.
    pointType && eq(batches.pointType, pointType),
    minimumPoints && !pointType ? inArray(batches.pointType, [...POINT_TYPES]) : undefined,
    idPrefix ? sql`${batches.id} ^@ ${idPrefix}` : undefined,
    minimumPoints ? gte(batches.points, minimumPoints) : undefined,
    filters.overdue ? lt(batches.finalizeAt, overdueBefore(now ?? sql`now()`)) : undefined,
    filters.held ? isOnHold() : undefined,
    filters.awaitingApproval ? isAwaitingApproval() : undefined,
    filters.unblocked ? isUnblocked() : undefined,
    submittedBy ? eq(batches.submittedBy, asStored(submittedBy)) : undefined,
    within(batches.finalizeAt, filters.dueAfter, filters.dueBefore),
    filters.finalizedAfter || filters.finalizedBefore
      ? and(
          eq(batches.status, "FINALIZED"),
          within(batches.finalizedAt, filters.finalizedAfter, filters.finalizedBefore),
        )
      : undefined,
    filters.unusual ? isUnusual(filters) : undefined,
    filters.reversals ? isNotNull(batches.reversesSeq) : undefined,
    uploadId ? isPartOf(uploadId) : undefined,
  );
}

/**
 * The conditions on batches that are looked up by key. Filters that contradict each other become one that no batch meets:
 * Postgres would fold them into a constant, and Citus then no longer finds the key.
 */
export function conditionsByKey(filters: BatchFilters, now?: SQL): SQL | undefined {
  if (possibleStatuses(filters).length === 0) return lt(batches.seq, 0n);
  return and(filterConditions(filters, now), filters.overdue ? or(...overdueBranches()) : undefined);
}

/** The statuses of batches that can match all filters. None if the filters contradict each other, such as on hold and finalized. */
export function possibleStatuses(filters: BatchFilters): BatchStatus[] {
  const { statuses, held, awaitingApproval, unblocked, overdue, finalizedAfter, finalizedBefore } = filters;
  const allowed: (readonly BatchStatus[])[] = [];
  if (statuses?.length) allowed.push(statuses);
  if (held || awaitingApproval || unblocked) allowed.push(["PENDING"]);
  if (overdue) allowed.push(["PENDING", "FINALIZING"]);
  if (finalizedAfter || finalizedBefore) allowed.push(["FINALIZED"]);
  return BATCH_STATUSES.filter((status) => allowed.every((some) => some.includes(status)));
}

/** Whether no filters but these are set. What travels with the filters, such as the sort, is none. */
export const hasOnly = (filters: BatchFilters, ...names: (keyof BatchFilters)[]): boolean =>
  FILTER_NAMES.every((name) => !filters[name] || names.includes(name));

const FILTER_NAMES = Object.keys(BatchFilters.shape) as (keyof BatchFilters)[];

export const isOnHold = (): SQL => and(eq(batches.status, "PENDING"), isNotNull(batches.heldAt))!;

/** A range of `batches_awaiting_approval`. */
export const isAwaitingApproval = (): SQL =>
  and(eq(batches.status, "PENDING"), batches.awaitsApproval.getSQL())!;

/** Pending batches that a finalizer claims when they are due: the range of `batches_due`. */
export const isUnblocked = (): SQL =>
  and(eq(batches.status, "PENDING"), isNull(batches.heldAt), not(batches.awaitsApproval))!;

/** Batches due before this time are overdue at an instant: late by more than a running finalizer needs. */
export const overdueBefore = (at: SQL): SQL => sql`${at} - make_interval(secs => ${OVERDUE_AFTER_SECONDS})`;

/**
 * Batches that may be overdue: pending ones that nothing blocks, and those that a finalizer has claimed and not settled. Read
 * separately, each is a range of its own index: `batches_due`, and `batches_leased`, which is always small.
 */
export const overdueBranches = (): readonly [unblocked: SQL, claimed: SQL] => [
  isUnblocked(),
  eq(batches.status, "FINALIZING"),
];

/** Batches of one uploaded file: a few, each looked up by key. */
const isPartOf = (uploadId: string): SQL => sql`(${batches.contractAddress}, ${batches.seq}) in (
  select contract_address, batch_seq from ${batchUploads} where upload_id = ${uploadId})`;

/** Batches with an entry among the unusual ones, of which only the range of the other filters is read. */
const isUnusual = (filters: BatchFilters): SQL => sql`(${batches.contractAddress}, ${batches.seq}) in (
    select contract_address, batch_seq from ${unusualEntries(filters)}
    and ${timeRange(filters, "DESC", undefined, INDEX_COLUMNS) ?? sql`true`})`;

/** Operators are stored with the address checksummed. */
const asStored = (submitter: string) =>
  submitter.replace(
    /^operator:(0x.+)$/,
    (_, address) => `operator:${addressFromBytes(addressToBytes(address))}`,
  );

/** Exclusive bounds on a time. */
function within(time: SQLWrapper, after: string | undefined, before: string | undefined): SQL | undefined {
  const [since, until] = [boundAfter(after), boundBefore(before)];
  return and(
    since === null ? undefined : sql`${time} > ${since}::timestamptz`,
    until === null ? undefined : sql`${time} < ${until}::timestamptz`,
  );
}

/** The exclusive bounds on creation time. A cursor by creation time replaces the bound on its side. */
export function timeRange(
  filters: BatchFilters,
  sort: "ASC" | "DESC",
  after?: CursorPosition,
  { createdAt, seq }: { createdAt: SQLWrapper; seq: SQLWrapper } = batches,
): SQL | undefined {
  const position = after && sql`(${new Date(after.atMs).toISOString()}::timestamptz, ${after.seq}::bigint)`;
  const lower = within(createdAt, filters.createdAfter, undefined);
  const upper = within(createdAt, undefined, filters.createdBefore);
  if (!position) return and(lower, upper);
  return sort === "ASC"
    ? and(sql`(${createdAt}, ${seq}) > ${position}`, upper)
    : and(lower, sql`(${createdAt}, ${seq}) < ${position}`);
}
