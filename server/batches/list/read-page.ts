import { and, asc, type Column, desc, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { unionAll } from "drizzle-orm/pg-core";
import type { Database } from "@/db/client";
import { batches } from "@/db/schema/batches";
import type { ListedBatch } from "../../kernel/values/batch-rows";
import { LIST_LIMIT_MAX } from "../../kernel/values/batch-schema";

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
  awaitsApproval: batches.awaitsApproval,
  reversesSeq: batches.reversesSeq,
} satisfies Record<keyof ListedBatch, Column>;

/** The columns read for a list. */
export const LISTED = Object.fromEntries(
  Object.entries(COLUMNS).map(([name, column]) => [name, sql`${column}`.as(name)]),
) as { [Name in keyof ListedBatch]: SQL.Aliased<ListedBatch[Name]> };

/** The same as one text. Writing it column by column for every page took a twentieth of a list's time. */
export const LISTED_TEXT = sql.raw(
  Object.entries(COLUMNS)
    .map(([name, column]) => `"batches"."${column.name}" as "${name}"`)
    .join(", "),
);

interface PageRead {
  where: SQL | undefined;
  /** Two conditions with an index each. The page has the first rows that match either one; each is read separately. */
  branches?: readonly [SQL, SQL] | undefined;
  /** By creation time. Ties are ordered by sequence number, in the same direction. */
  descending: boolean;
  /** The result may have a few more. */
  rowsLeast: number;
  /** Keeps the prepared statement and its plan. Only for filters whose best plan does not depend on their values. */
  prepare: boolean;
}

/**
 * The rows of a page. Drizzle builds the statement, but the driver's rows are used directly: mapping them through Drizzle
 * cost as much as reading them.
 */
export async function readPage(
  db: Database,
  { where, branches, descending, rowsLeast, prepare }: PageRead,
): Promise<ListedBatch[]> {
  const limit = literalLimit(rowsLeast);
  const ordered = (...columns: SQLWrapper[]) => columns.map(descending ? desc : asc);
  const read = (branch?: SQL) =>
    db.orm
      .select({ listed: LISTED_TEXT })
      .from(batches)
      .where(and(branch, where))
      .orderBy(...ordered(batches.createdAt, batches.seq))
      .limit(limit);
  const page = branches
    ? unionAll(read(branches[0]), read(branches[1]))
        .orderBy(...ordered(sql`"createdAt"`, sql`${sql.identifier("seq")}`))
        .limit(limit)
    : read();
  const { sql: text, params } = page.toSQL();
  return db.sql.unsafe<ListedBatch[]>(text, params as string[], {
    prepare: prepare && db.sql.options.prepare,
  });
}

/** Few distinct limits keep the number of prepared statements low. */
const LIMITS = [2, 11, 51, 101, LIST_LIMIT_MAX + 1];

/**
 * A limit of at least this many rows, as a literal: with a parameter the database would plan every call anew. Drizzle
 * accepts it, but its types do not.
 */
function literalLimit(rowsLeast: number): number {
  const limit = LIMITS.find((rows) => rows >= rowsLeast) ?? rowsLeast;
  return sql.raw(String(limit)) as unknown as number;
}
