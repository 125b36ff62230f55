import type { PointType } from "@/server/kernel/values/batch-terms";
import type { ServiceContext } from "../kernel/context";
import { addressToBytes } from "../kernel/values/addresses";
import { toTimestamp } from "../kernel/values/batch-rows";
import { shortestPoints } from "../kernel/values/points";

export interface ListIssuances {
  contractAddress: string;
  limit?: number | undefined;
  /** The last id of the previous page. */
  cursor?: string | null | undefined;
}

export interface ListedIssuance {
  id: string;
  createdAt: string;
  pointType: PointType;
  points: string;
  /** Null when issued on demand. */
  grantedBy: string | null;
  /** The second admin, if the grant needed one. */
  approvedBy: string | null;
  /** The batch that the points were issued for. Null when granted. */
  batchId: string | null;
}

const LIMIT_DEFAULT = 20;

/** One page of a contract's grants and issuances, newest first. */
export async function listIssuances(
  ctx: ServiceContext,
  input: ListIssuances,
): Promise<{ issuances: ListedIssuance[]; cursor: string | null }> {
  const { sql } = ctx.db;
  const limit = input.limit ?? LIMIT_DEFAULT;
  const contract = addressToBytes(input.contractAddress);
  const after = (id: string) => sql`(created_at, id) < (
    select created_at, id from issuances where contract_address = ${contract} and id = ${id}::bigint)`;
  const rows = await sql<ListedIssuance[]>`
    select i.id, i.created_at as "createdAt", i.point_type as "pointType", i.points, i.granted_by as "grantedBy",
      i.approved_by as "approvedBy", b.id as "batchId"
    from (
      select * from issuances where contract_address = ${contract}
        and ${input.cursor ? after(input.cursor) : sql`true`}
      order by created_at desc, id desc limit ${limit + 1}
    ) i left join lateral (
      -- GROUP BY the key keeps this a look-up per row of the page.
      select id from batches where contract_address = ${contract} and seq = i.batch_seq group by contract_address, seq
    ) b on true
    order by i.created_at desc, i.id desc`;
  const page = rows.slice(0, limit);
  return {
    issuances: page.map((row) => ({
      ...row,
      createdAt: toTimestamp(row.createdAt),
      points: shortestPoints(row.points),
    })),
    cursor: rows.length > limit ? page.at(-1)!.id : null,
  };
}
