import { and, gte, type SQL, sql } from "drizzle-orm";
import { unionAll } from "drizzle-orm/pg-core";
import type { Database } from "@/db/client";
import { batches } from "@/db/schema/batches";
import type { ServiceContext } from "../../kernel/context";
import { readList } from "../../kernel/read-list";
import { BATCH_STATUSES, type BatchStatus } from "../../kernel/values/batch-state";
import { POINT_TYPES, type PointType } from "../../kernel/values/point-types";
import type { FreshBatch } from "../../recipients/find-fresh";
import { type BatchFacets, type BatchFilters, COUNT_MAX } from "./console-schema";
import { filterConditions, freshFor, timeRange } from "./list-batches";
import { overdueBefore, overdueBranches } from "./overdue";

const NEWER_MAX = 1000;

/** Capped counts for each filter value. The counts of a group ignore the group's own filter. */
export async function countFacets(ctx: ServiceContext, filters: BatchFilters): Promise<BatchFacets> {
  const { statuses: _s, overdue: _o, held: _h, ...withoutStatus } = filters;
  const { pointType: _t, ...withoutType } = filters;
  const counter = async (db: Database) => {
    const fresh = await freshFor(db, filters);
    return (narrowed: BatchFilters) => countUpTo(db, COUNT_MAX, narrowed, fresh);
  };
  // The primary's clock decides what is due.
  const countOverdue = async () => (await counter(ctx.db))({ ...withoutStatus, overdue: true });
  const [overdue, [statusCounts, typeCounts, held]] = await Promise.all([
    countOverdue(),
    readList(ctx, async (db) => {
      const count = await counter(db);
      return Promise.all([
        Promise.all(BATCH_STATUSES.map((status) => count({ ...withoutStatus, statuses: [status] }))),
        Promise.all(POINT_TYPES.map((pointType) => count({ ...withoutType, pointType }))),
        count({ ...withoutStatus, held: true }),
      ]);
    }),
  ]);
  return {
    statuses: Object.fromEntries(BATCH_STATUSES.map((s, i) => [s, statusCounts[i]])) as Record<
      BatchStatus,
      number
    >,
    pointTypes: Object.fromEntries(POINT_TYPES.map((t, i) => [t, typeCounts[i]])) as Record<
      PointType,
      number
    >,
    overdue,
    held,
    countMax: COUNT_MAX,
  };
}

/**
 * Counts new batches in a list, up to 1,000: created after its newest one or, in an overdue list, overdue since it was
 * read. By the database's clock.
 */
export async function countNewer(
  ctx: ServiceContext,
  filters: BatchFilters,
  newerThan: { createdAt: string; id: string } | null,
  readAt?: string,
): Promise<number> {
  if (filters.overdue && readAt) {
    const since = gte(batches.finalizeAt, overdueBefore(sql`${readAt}::timestamptz`));
    return countUpTo(ctx.db, NEWER_MAX, filters, await freshFor(ctx.db, filters), since);
  }
  // Batches of the same millisecond are compared by ID, so that the newest one shown is never counted as new.
  const isNewer = newerThan
    ? sql`${batches.createdAt} > ${newerThan.createdAt}::timestamptz and ${batches.id} <> ${newerThan.id}`
    : undefined;
  const count = async (db: Database) =>
    countUpTo(db, NEWER_MAX, filters, await freshFor(db, filters), isNewer);
  return filters.overdue ? count(ctx.db) : readList(ctx, count);
}

async function countUpTo(
  db: Database,
  most: number,
  filters: BatchFilters,
  fresh: readonly FreshBatch[],
  also?: SQL,
): Promise<number> {
  const conditions = and(filterConditions(filters, fresh), timeRange(filters, "DESC"), also);
  const read = (branch?: SQL) =>
    db.orm
      .select({ one: sql`1`.as("one") })
      .from(batches)
      .where(and(branch, conditions))
      .limit(most + 1);
  const [waiting, claimed] = overdueBranches();
  const some = filters.overdue
    ? unionAll(read(waiting), read(claimed))
        .limit(most + 1)
        .as("some")
    : read().as("some");
  const [row] = await db.orm.select({ count: sql<number>`count(*)::int` }).from(some);
  return row?.count ?? 0;
}
