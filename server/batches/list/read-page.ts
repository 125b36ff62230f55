import { and, asc, type Column, desc, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { unionAll } from "drizzle-orm/pg-core";
import type { Database } from "@/db/client";
import { batches } from "@/db/schema/batches";
import type { BatchRow } from "../../kernel/values/batch-rows";
import { LIST_LIMIT_MAX } from "../../kernel/values/batch-schema";

/** A batch of a list as the driver gives it: times as the database's text, the sequence number as digits. */
export interface ListedBatch extends BatchRow {
  seq: string;
  createdAt: string;
  finalizeAt: string;
  updatedAt: string | null;
  submittedBy: string;
  heldAt: string | null;
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
} satisfies Record<keyof ListedBatch, Column>;

/** What is read of a batch for a list. */
export const LISTED = Object.fromEntries(
  Object.entries(COLUMNS).map(([name, column]) => [name, sql`${column}`.as(name)]),
) as { [Name in keyof ListedBatch]: SQL.Aliased<ListedBatch[Name]> };

/** The same as one text: written column by column for every page it was a twentieth of a list's work. */
const LISTED_TEXT = sql.raw(
  Object.entries(COLUMNS)
    .map(([name, column]) => `"batches"."${column.name}" as "${name}"`)
    .join(", "),
);

interface PageRead {
  where: SQL | undefined;
  /** Two conditions, each with an index of its own: the page is the first rows of what meets one or the other, read one by one. */
  branches?: readonly [SQL, SQL] | undefined;
  /** And by sequence number, in the same direction. */
  order: { by: "createdAt" | "finalizeAt"; descending: boolean };
  /** Some more may come. */
  rowsLeast: number;
  /** Keeps the statement and its plan for the next call: for filters whose plan is the same whatever their values. */
  prepare: boolean;
}

/**
 * The rows of a page. Drizzle writes the statement; the rows are the driver's own, for making drizzle's of them cost as
 * much as reading them.
 */
export async function readPage(
  db: Database,
  { where, branches, order: { by, descending }, rowsLeast, prepare }: PageRead,
): Promise<ListedBatch[]> {
  const limit = literalLimit(rowsLeast);
  const ordered = (...columns: SQLWrapper[]) => columns.map(descending ? desc : asc);
  const read = (branch?: SQL) =>
    db.orm
      .select({ listed: LISTED_TEXT })
      .from(batches)
      .where(and(branch, where))
      .orderBy(...ordered(batches[by], batches.seq))
      .limit(limit);
  const page = branches
    ? unionAll(read(branches[0]), read(branches[1]))
        .orderBy(...ordered(sql`${sql.identifier(by)}`, sql`${sql.identifier("seq")}`))
        .limit(limit)
    : read();
  const { sql: text, params } = page.toSQL();
  return db.sql.unsafe<ListedBatch[]>(text, params as string[], {
    prepare: prepare && db.sql.options.prepare,
  });
}

/** Few limits make few statements to keep. */
const LIMITS = [2, 11, 51, 101, LIST_LIMIT_MAX + 1];

/**
 * At least so many rows, written into the statement: for a limit that it does not know the database makes a new plan at
 * every call. Drizzle takes it, its types do not.
 */
function literalLimit(rowsLeast: number): number {
  const limit = LIMITS.find((rows) => rows >= rowsLeast) ?? rowsLeast;
  return sql.raw(String(limit)) as unknown as number;
}
