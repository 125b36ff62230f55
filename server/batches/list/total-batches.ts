import { sql } from "drizzle-orm";
import { batches } from "@/db/schema/batches";
import type { ServiceContext } from "../../kernel/context";
import { shortestPoints } from "../../kernel/values/points";
import { type BatchFilters, type BatchTotals, COUNT_MAX } from "./console-schema";
import { databaseNow } from "./list-console-batches";
import { readLatest } from "./read-latest";

type TotalsRow = BatchTotals["types"][number] & { examined: number };

/**
 * What the filtered batches add up to, by type, with reversals apart. Exact for up to `COUNT_MAX` batches; beyond that only
 * the latest `COUNT_MAX` are added up.
 */
export async function totalBatches(ctx: ServiceContext, filters: BatchFilters): Promise<BatchTotals> {
  const now = sql`${await databaseNow(ctx)}::timestamptz`;
  const columns = sql`${batches.pointType} as point_type, ${batches.transferCount} as transfer_count, ${batches.points} as points,
    ${batches.seq} as seq, ${batches.reversesSeq} as reverses_seq, ${batches.status} as status`;
  const isDone = sql`reverses_seq is not null and status = 'FINALIZED'`;
  const isOpen = sql`reverses_seq is not null and status in ('PENDING', 'FINALIZING')`;
  const { ctes, examined } = await readLatest(ctx.db, filters, { most: COUNT_MAX + 1, columns, now });
  const rows = await ctx.db.orm.execute<TotalsRow>(sql`
      with ${ctes}
      select sums.*, looked.examined from (select ${examined} as examined) as looked
      left join (
        select point_type as "pointType", count(*) filter (where reverses_seq is null)::int as batches,
          coalesce(sum(transfer_count) filter (where reverses_seq is null), 0)::text as transfers,
          coalesce(sum(points) filter (where reverses_seq is null), 0)::text as points,
          count(*) filter (where ${isDone})::int as reversals,
          coalesce(sum(points) filter (where ${isDone}), 0)::text as "takenBack",
          count(*) filter (where ${isOpen})::int as "openReversals",
          coalesce(sum(points) filter (where ${isOpen}), 0)::text as "takingBack"
        from (select * from latest order by ranged_at desc, seq desc limit ${COUNT_MAX}) as latest group by point_type
      ) as sums on true order by "pointType"`);
  return {
    // If nothing matches, the only row has no type.
    types: rows
      .filter(({ pointType }) => pointType !== null)
      .map(({ examined: _, ...row }) => ({
        ...row,
        points: shortestPoints(row.points),
        takenBack: shortestPoints(row.takenBack),
        takingBack: shortestPoints(row.takingBack),
      })),
    isWhole: rows[0]!.examined <= COUNT_MAX,
  };
}
