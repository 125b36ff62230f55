import type { Sql } from "postgres";
import type { BatchOut } from "@/terms/batch-schema";
import type { Metadata } from "@/terms/batch-terms";
import { shortestPoints } from "@/terms/points";
import { addressArray, addressFromBytes, distinctAddresses } from "./address-bytes";

/** The text of a Postgres array of sequence numbers, for `::text::bigint[]`. */
export const seqArray = (batches: readonly { seq: bigint | string }[]): string =>
  `{${batches.map(({ seq }) => seq).join(",")}}`;

/**
 * The condition that a row of a table is of one of these batches. Each contract is given once, so that
 * Postgres expects no more lookups than there are.
 */
export const ofBatches = (
  sql: Sql,
  table: string,
  seqColumn: string,
  batches: readonly { contractAddress: Buffer; seq: bigint | string }[],
) => sql`
  ${sql(table)}.contract_address
    = any(${addressArray(distinctAddresses(batches.map((batch) => batch.contractAddress)))}::bytea[])
  and ${sql(table)}.${sql(seqColumn)} = any(${seqArray(batches)}::text::bigint[])`;

/** `timestamptz` in a UTC session, which omits trailing zeros. */
const TEXT_IN_UTC = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,3}))?\+00$/;

/**
 * Formats a database time (text or `Date`) as RFC 3339 in UTC with milliseconds. Text is only rewritten,
 * because a `Date` for each time of a page took a tenth of "list, first page" in docs/benchmarks.md.
 */
export function toTimestamp(value: Date | string): string {
  if (typeof value !== "string") return value.toISOString();
  const parts = TEXT_IN_UTC.exec(value);
  if (!parts) return new Date(value).toISOString();
  return `${parts[1]}T${parts[2]}.${(parts[3] ?? "").padEnd(3, "0")}Z`;
}

type TextColumn<Row> = { [Name in keyof Row]: Row[Name] extends string | null ? Name : never }[keyof Row];

const rewritten = <Row extends object>(
  row: Row,
  columns: TextColumn<Row>[],
  rewrite: (text: string) => string,
) => ({
  ...row,
  ...Object.fromEntries(columns.map((name) => [name, row[name] && rewrite(row[name] as string)])),
});

/** A row whose given columns, read as database text, are RFC 3339 times. Null stays null. */
export const withTimes = <Row extends object>(row: Row, ...columns: TextColumn<Row>[]): Row =>
  rewritten(row, columns, toTimestamp);

/** A row whose given columns are amounts in shortest form. */
export const withPoints = <Row extends object>(row: Row, ...columns: TextColumn<Row>[]): Row =>
  rewritten(row, columns, shortestPoints);

/** A batch as the database returns it: with the driver's bytes and times, and what only staff see. */
export interface BatchRow<Time = Date | string>
  extends Omit<
    BatchOut,
    "contractAddress" | "createdAt" | "finalizeAt" | "updatedAt" | "reverses" | "metadata"
  > {
  contractAddress: Buffer;
  createdAt: Time;
  finalizeAt: Time;
  updatedAt: Time | null;
  submittedBy: string;
  heldAt: Time | null;
  holdReason: string | null;
  heldForPayout: boolean;
  heldApart: boolean;
  awaitsApproval: boolean;
  reversesSeq: bigint | string | null;
}

/** A row read without Drizzle's mapping: times as database text, the sequence number as digits. */
export interface ListedBatch extends BatchRow<string> {
  seq: string;
}

/**
 * A batch as the API returns it.
 * @param reversed the batches that reversals take back, by sequence number
 * @param metadata where it was asked for
 */
export const toBatchOut = (
  row: BatchRow,
  reversed: ReadonlyMap<bigint, string>,
  metadata?: Metadata,
): BatchOut => ({
  id: row.id,
  contractAddress: addressFromBytes(row.contractAddress),
  pointType: row.pointType,
  createdAt: toTimestamp(row.createdAt),
  finalizeAt: toTimestamp(row.finalizeAt),
  updatedAt: row.updatedAt && toTimestamp(row.updatedAt),
  status: row.status,
  points: shortestPoints(row.points),
  transferCount: row.transferCount,
  ...(row.reversesSeq !== null && { reverses: reversed.get(BigInt(row.reversesSeq))! }),
  ...(metadata && { metadata }),
});

/** A reversal, with what decides whether and when it takes its points back. */
export interface ReversalState extends Pick<BatchOut, "id" | "status" | "finalizeAt" | "updatedAt"> {
  heldAt: string | null;
  awaitsApproval: boolean;
}

export const REVERSAL_COLUMNS = `b.id, b.status, b.finalize_at as "finalizeAt",
  b.updated_at as "updatedAt", b.held_at as "heldAt", b.awaits_approval as "awaitsApproval"`;

export function toReversalState(
  row: Pick<BatchRow, "id" | "status" | "finalizeAt" | "updatedAt" | "heldAt" | "awaitsApproval">,
): ReversalState {
  const isPending = row.status === "PENDING";
  return {
    id: row.id,
    status: row.status,
    finalizeAt: toTimestamp(row.finalizeAt),
    updatedAt: row.updatedAt && toTimestamp(row.updatedAt),
    heldAt: isPending && row.heldAt ? toTimestamp(row.heldAt) : null,
    awaitsApproval: isPending && row.awaitsApproval,
  };
}
