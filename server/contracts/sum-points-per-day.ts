import { boundAfter } from "@/server/kernel/values/fields";
import type { ServiceContext } from "../kernel/context";
import { addressToBytes } from "../kernel/values/addresses";
import { shortestPoints } from "../kernel/values/points";
import type { DayOfPoints, PointsPerDayInput } from "./console-schema";

/**
 * Points that a contract submitted per day, without reversals, and their current status. Grouped by day of creation, so that
 * the parts add up. Days are given as instants, since a day has 23, 24 or 25 hours in the viewer's time zone. They are bound
 * as `timestamptz[]`, because Postgres would repeat a cast from text for every row.
 */
export async function sumPointsPerDay(ctx: ServiceContext, input: PointsPerDayInput): Promise<DayOfPoints[]> {
  const starts = input.dayStarts.map((start) => boundAfter(start)!);
  const rows = await ctx.db.sql<DayOfPoints[]>`
    select width_bucket(created_at, ${`{${starts.join(",")}}`}::timestamptz[]) - 1 as day, point_type as "pointType",
      count(*)::int as batches, sum(points) as created,
      coalesce(sum(points) filter (where status = 'FINALIZED'), 0) as finalized,
      coalesce(sum(points) filter (where status = 'CANCELLED'), 0) as cancelled,
      coalesce(sum(points) filter (where status in ('PENDING', 'FINALIZING')), 0) as pending
    from batches
    where contract_address = ${addressToBytes(input.contractAddress)} and reverses_seq is null
      and created_at >= ${starts[0]!}::timestamptz and created_at < ${starts.at(-1)!}::timestamptz
    group by 1, 2 order by 1, 2`;
  return rows.map((row) => ({
    ...row,
    created: shortestPoints(row.created),
    finalized: shortestPoints(row.finalized),
    cancelled: shortestPoints(row.cancelled),
    pending: shortestPoints(row.pending),
  }));
}
