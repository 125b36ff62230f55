import { addressArray, distinctAddresses } from "@/server/kernel/address-bytes";
import { toTimestamp } from "@/server/kernel/batch-rows";
import type { ServiceContext } from "@/server/kernel/context";
import type { PointType } from "@/terms/batch-terms";
import { shortestPoints } from "@/terms/points";
import type { PayoutCounts, PayoutOfBatch } from "./console-schema";

/** A list reads this many batches of each payout, so that a page never reads all of a huge one. */
export const PAYOUT_BATCHES_READ = 1000;

/** Sums over batches `b`, as a row of `PayoutSums`. */
export const PAYOUT_SUMS = `count(*)::int as stored,
  sum(b.transfer_count)::float8 as "transferCount",
  sum(b.points)::text as points,
  count(*) filter (where b.status = 'PENDING')::int as pending,
  count(*) filter (where b.status = 'PENDING' and b.held_at is not null)::int as "onHold",
  count(*) filter (where b.status = 'PENDING' and b.awaits_approval)::int as "awaitingApproval",
  count(*) filter (where b.status = 'FINALIZING')::int as finalizing,
  count(*) filter (where b.status = 'FINALIZED')::int as finalized,
  count(*) filter (where b.status = 'CANCELLED')::int as cancelled,
  min(b.finalize_at) filter (where b.status <> 'CANCELLED') as "firstDueAt"`;

export interface PayoutSums extends PayoutCounts {
  stored: number;
  transferCount: number;
  points: string;
  firstDueAt: string | null;
}

/** What a payout is called: its file, or its ID. */
export const nameOfPayout = (id: string, fileName: string | null): string => fileName ?? id;

/** The counts of some rows together. */
export function countsOf(rows: readonly PayoutCounts[]): PayoutCounts {
  const total = (name: keyof PayoutCounts) => rows.reduce((sum, row) => sum + row[name], 0);
  return {
    pending: total("pending"),
    onHold: total("onHold"),
    awaitingApproval: total("awaitingApproval"),
    finalizing: total("finalizing"),
    finalized: total("finalized"),
    cancelled: total("cancelled"),
  };
}

interface PayoutRow extends PayoutSums {
  /** The place in the file of each batch that was asked for, by its sequence number. */
  places: Record<string, number | null>;
  id: string;
  pointType: PointType;
  partCount: number | null;
  fileName: string | null;
  read: number;
}

/** The payouts of these batches, by sequence number. Batches of none have no entry. */
export async function readPayouts(
  { db: { sql } }: Pick<ServiceContext, "db">,
  batches: readonly { contractAddress: Buffer; seq: bigint | string; pointType: PointType }[],
): Promise<Map<bigint, PayoutOfBatch>> {
  if (batches.length === 0) return new Map();
  const contracts = distinctAddresses(batches.map(({ contractAddress }) => contractAddress));
  const rows = await sql<PayoutRow[]>`
    select wanted.payout_id as id, wanted.places, sums.*
    from (
      select contract_address, payout_id, json_object_agg(batch_seq, part) as places
      from payout_parts
      where contract_address = any(${addressArray(contracts)}::bytea[])
        and batch_seq = any(${`{${batches.map(({ seq }) => seq).join(",")}}`}::text::bigint[])
      group by contract_address, payout_id
    ) as wanted cross join lateral (
      select b.point_type as "pointType", max(b.part_count) as "partCount", min(b.file_name) as "fileName",
        (sum(count(*)) over ())::int as read, ${sql.unsafe(PAYOUT_SUMS)}
      from (
        select b.point_type, b.status, b.points, b.transfer_count, b.finalize_at, b.held_at, b.awaits_approval,
          p.part_count, p.file_name
        from payout_parts p
          join batches b on b.contract_address = p.contract_address and b.seq = p.batch_seq
        where p.contract_address = wanted.contract_address and p.payout_id = wanted.payout_id
        order by p.batch_seq limit ${PAYOUT_BATCHES_READ + 1}
      ) as b
      group by b.point_type
    ) as sums`;
  const typeOf = new Map(batches.map(({ seq, pointType }) => [BigInt(seq), pointType]));
  return new Map(
    rows.flatMap((row) =>
      Object.entries(row.places)
        .map(([seq, part]) => [BigInt(seq), toPayout(row, part)] as const)
        .filter(([seq]) => typeOf.get(seq) === row.pointType),
    ),
  );
}

const toPayout = (row: PayoutRow, part: number | null): PayoutOfBatch => ({
  id: row.id,
  name: nameOfPayout(row.id, row.fileName),
  part,
  partCount: row.partCount,
  stored: row.stored,
  isWhole: row.read <= PAYOUT_BATCHES_READ,
  transferCount: row.transferCount,
  points: shortestPoints(row.points),
  counts: countsOf([row]),
  firstDueAt: row.firstDueAt && toTimestamp(row.firstDueAt),
});
