import { and, type SQL, sql } from "drizzle-orm";
import { batches } from "@/db/schema/batches";
import type { ServiceContext } from "../context";
import { POINT_TYPES, type PointType } from "../ledger/point-types";
import type { FreshBatch } from "../recipients/find-fresh";
import { type BatchFacets, type BatchFilters, COUNT_MAX } from "./console-schema";
import { filterConditions, freshFor, timeRange } from "./list-batches";
import { BATCH_STATUSES, type BatchStatus } from "./state";

const NEWER_MAX = 1000;

/** Capped counts beside each filter value; a group's own filter is left out of its counts. */
export async function countFacets(ctx: ServiceContext, filters: BatchFilters): Promise<BatchFacets> {
  const { statuses: _s, overdue: _o, held: _h, ...withoutStatus } = filters;
  const { pointType: _t, ...withoutType } = filters;
  const fresh = await freshFor(ctx, filters);
  const count = (narrowed: BatchFilters) => countUpTo(ctx, COUNT_MAX, narrowed, fresh);
  const byStatus = BATCH_STATUSES.map((status) => count({ ...withoutStatus, statuses: [status] }));
  const byType = POINT_TYPES.map((pointType) => count({ ...withoutType, pointType }));
  const [statusCounts, typeCounts, overdue, held] = await Promise.all([
    Promise.all(byStatus),
    Promise.all(byType),
    count({ ...withoutStatus, overdue: true }),
    count({ ...withoutStatus, held: true }),
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

/** How many batches of a list were created after its newest one, at most 1,000. */
export async function countNewer(
  ctx: ServiceContext,
  filters: BatchFilters,
  newerThan: { createdAt: string; id: string } | null,
): Promise<number> {
  const fresh = await freshFor(ctx, filters);
  if (!newerThan) return countUpTo(ctx, NEWER_MAX, filters, fresh);
  // Same millisecond: the id tells the shown batch itself from its neighbours; it is never counted as new.
  return countUpTo(
    ctx,
    NEWER_MAX,
    filters,
    fresh,
    sql`${batches.createdAt} > ${newerThan.createdAt}::timestamptz and ${batches.id} <> ${newerThan.id}`,
  );
}

async function countUpTo(
  ctx: ServiceContext,
  most: number,
  filters: BatchFilters,
  fresh: readonly FreshBatch[],
  also?: SQL,
): Promise<number> {
  const some = ctx.db.orm
    .select({ one: sql`1`.as("one") })
    .from(batches)
    .where(and(filterConditions(filters, fresh), timeRange(filters, "DESC"), also))
    .limit(most + 1)
    .as("some");
  const [row] = await ctx.db.orm.select({ count: sql<number>`count(*)::int` }).from(some);
  return row?.count ?? 0;
}
