import { type Column, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { batches } from "@/db/schema/batches";
import { type ListedBatch, toTimestamp } from "@/server/kernel/batch-rows";
import { LATEST_MS } from "@/terms/fields";
import { type BatchFilters, LIST_SORTS, type ListSort } from "@/terms/filters";
import { formatPoints, parseSum, shortestPoints } from "@/terms/points";

/** `finalizedAt` only in this order, and the outcome only where it was asked for. */
export type SortedRow = ListedBatch & Partial<BatchOutcome>;

type SortName = (typeof LIST_SORTS)[ListSort]["by"];

export interface Position {
  /** The value sorted by: milliseconds, 10⁻¹² points or transfers. */
  key: bigint;
  seq: bigint;
  /**
   * The highest sequence number of the sorted batches, when only the latest ones were sorted. The next page
   * leaves out newer ones, so that it sorts the same batches. Otherwise 0.
   */
  top: bigint;
}

/** What a reader is asked for. */
export interface Reading {
  filters: BatchFilters;
  sort: ListSort;
  after: Position | undefined;
  /** The result may have a few more. */
  rowsLeast: number;
  /** Whether the rows have how their batches ended, or who has them on hold. */
  withOutcome: boolean;
}

export type Edge = Pick<SortedRow, "seq"> & Partial<SortedRow>;

/** What a reader found. */
export interface Read {
  rows: SortedRow[];
  /** Where a search used its budget before it had enough rows. */
  searchedTo?: Edge | null;
  /** How many batches were sorted, and the highest sequence number among them, if no index has the order. */
  sorted?: { count: number; top: bigint };
}

const COLUMNS = {
  seq: batches.seq,
  id: batches.id,
  contractAddress: batches.contractAddress,
  pointType: batches.pointType,
  status: batches.status,
  points: batches.points,
  transferCount: batches.transferCount,
  createdAt: batches.createdAt,
  finalizeAt: batches.finalizeAt,
  updatedAt: batches.updatedAt,
  submittedBy: batches.submittedBy,
  heldAt: batches.heldAt,
  holdReason: batches.holdReason,
  heldForPayout: batches.heldForPayout,
  heldApart: batches.heldApart,
  awaitsApproval: batches.awaitsApproval,
  reversesSeq: batches.reversesSeq,
} satisfies Record<keyof ListedBatch, Column>;

const asText = (columns: Record<string, Column>): string =>
  Object.entries(columns)
    .map(([name, column]) => `"batches"."${column.name}" as "${name}"`)
    .join(", ");

/** One text. Writing it column by column for every page took a twentieth of a list's time. */
export const LISTED_COLUMNS = asText(COLUMNS);

const OUTCOME = {
  finalizedAt: batches.finalizedAt,
  cancelledAt: batches.cancelledAt,
  cancelledBy: batches.cancelledBy,
  cancelReason: batches.cancelReason,
  heldBy: batches.heldBy,
  approvedAt: batches.approvedAt,
  approvedBy: batches.approvedBy,
};
export type BatchOutcome = Record<keyof typeof OUTCOME, string | null>;
export const OUTCOME_NAMES = Object.keys(OUTCOME) as (keyof BatchOutcome)[];
const WITH_OUTCOME = `${LISTED_COLUMNS}, ${asText(OUTCOME)}`;
const WITH_FINALIZED = `${LISTED_COLUMNS}, ${asText({ finalizedAt: batches.finalizedAt })}`;

export function columnsFor({ sort, withOutcome }: Reading): string {
  const { by } = LIST_SORTS[sort];
  if (withOutcome) return WITH_OUTCOME;
  return by === "finalizedAt" ? WITH_FINALIZED : LISTED_COLUMNS;
}

interface SortKey {
  /** The column's value as a whole number, for cursors, and back. */
  read: (value: string) => bigint;
  write: (key: bigint) => SQL;
  max: bigint;
}

const time: SortKey = {
  read: (value) => BigInt(Date.parse(toTimestamp(value))),
  write: (key) => sql`${isoTime(key)}::timestamptz`,
  max: BigInt(LATEST_MS),
};

export const KEYS: Record<SortName, SortKey> = {
  createdAt: time,
  finalizeAt: time,
  finalizedAt: time,
  points: {
    read: (value) => parseSum(shortestPoints(value)),
    write: (key) => sql`${formatPoints(key)}::text::numeric`,
    // `numeric(68,12)`, in 10⁻¹² points.
    max: 10n ** 68n - 1n,
  },
  transferCount: {
    read: BigInt,
    write: (key) => sql`${String(key)}::int`,
    max: 2n ** 31n - 1n,
  },
};

export const isoTime = (ms: bigint) => new Date(Number(ms)).toISOString();

/** The batches after a position. @param seq the column with the sequence number */
export function beyond(sort: ListSort, after: Position, column: SQLWrapper, seq: SQLWrapper): SQL {
  const { by, descending } = LIST_SORTS[sort];
  const way = sql.raw(descending ? "<" : ">");
  return sql`(${column}, ${seq}) ${way} (${KEYS[by].write(after.key)}, ${after.seq}::bigint)`;
}
