import type { Database } from "@/db/client";
import { POINT_TYPES, type PointType } from "@/server/kernel/values/batch-terms";
import { formatPoints, parseSum, shortestPoints } from "../../kernel/values/points";
import type { BulkResult, Obstacles, Share } from "./bulk-schema";

interface ItemGroup {
  result: BulkResult | null;
  why: string | null;
  pointType: PointType;
  batches: number;
  transfers: number;
  points: string;
}

/** The items of a job by result, reason and point type. Postgres adds up the amounts, so they are exact. */
export async function groupItems({ sql }: Database, jobId: string): Promise<ItemGroup[]> {
  const rows = await sql<(Omit<ItemGroup, "transfers"> & { transfers: string })[]>`
    select result, why, point_type as "pointType", count(*)::int as batches,
      sum(transfer_count)::text as transfers, sum(points)::text as points
    from bulk_job_items where job_id = ${jobId} group by 1, 2, 3 order by 1, 2, 3`;
  return rows.map((row) => ({ ...row, transfers: Number(row.transfers) }));
}

/** Adds groups up, with one exact amount per point type. */
export function shareOf(groups: readonly ItemGroup[]): Share {
  const sum = (of: (group: ItemGroup) => number) => groups.reduce((total, group) => total + of(group), 0);
  const amounts = POINT_TYPES.flatMap((pointType) => {
    const own = groups.filter((group) => group.pointType === pointType);
    const units = own.reduce((total, { points }) => total + parseSum(shortestPoints(points)), 0n);
    return own.length > 0 ? [{ pointType, points: formatPoints(units) }] : [];
  });
  return { batches: sum(({ batches }) => batches), transfers: sum(({ transfers }) => transfers), amounts };
}

/** The batches that were not changed, by result and reason. */
export function obstaclesIn(groups: readonly ItemGroup[]): Obstacles {
  const kinds = new Map<string, ItemGroup[]>();
  for (const group of groups)
    if (group.why !== null) {
      const kind = `${group.result} ${group.why}`;
      kinds.set(kind, [...(kinds.get(kind) ?? []), group]);
    }
  return [...kinds.values()].map((own) => ({
    result: own[0]!.result as Exclude<BulkResult, "DONE">,
    why: own[0]!.why!,
    ...shareOf(own),
  }));
}
