import { addressArray, distinctAddresses } from "@/server/kernel/address-bytes";
import { withPoints, withTimes } from "@/server/kernel/batch-rows";
import type { ServiceContext } from "@/server/kernel/context";
import type { PointType } from "@/terms/batch-terms";
import type { PayoutOfBatch } from "./console-schema";

/** A list reads this many batches of each payout, so that a page never reads all of a huge one. */
const PAYOUT_BATCHES_READ = 1000;

/** Sums over batches `b`, as a row of `PayoutSums`. */
export const PAYOUT_SUMS = `count(*)::int as stored,
  sum(b.transfer_count)::float8 as "transferCount",
  json_build_object(
    'pending', count(*) filter (where b.status = 'PENDING'),
    'onHold', count(*) filter (where b.status = 'PENDING' and b.held_at is not null),
    'awaitingApproval', count(*) filter (where b.status = 'PENDING' and b.awaits_approval),
    'finalizing', count(*) filter (where b.status = 'FINALIZING'),
    'finalized', count(*) filter (where b.status = 'FINALIZED'),
    'cancelled', count(*) filter (where b.status = 'CANCELLED')
  ) as counts,
  min(b.finalize_at) filter (where b.status <> 'CANCELLED') as "firstDueAt"`;

export type PayoutSums = Pick<PayoutOfBatch, "stored" | "transferCount" | "counts" | "firstDueAt">;

interface PayoutRow extends PayoutSums, Pick<PayoutOfBatch, "id" | "partCount" | "points"> {
  /** The place in the file of each batch that was asked for, by its sequence number. */
  places: Record<string, number | null>;
  pointType: PointType;
  fileName: string | null;
  /** Batches read, of all types. */
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
        sum(b.points)::text as points,
        (sum(count(*)) over ())::int as read, ${sql.unsafe(PAYOUT_SUMS)}
      from (
        select p.part_count, p.file_name, b.point_type, b.status, b.points, b.transfer_count, b.finalize_at,
          b.held_at, b.awaits_approval
        from payout_parts p
          join batches b on b.contract_address = p.contract_address and b.seq = p.batch_seq
        where p.contract_address = wanted.contract_address and p.payout_id = wanted.payout_id
        order by p.batch_seq limit ${PAYOUT_BATCHES_READ + 1}
      ) as b
      group by b.point_type
    ) as sums`;
  const typeOf = new Map(batches.map(({ seq, pointType }) => [BigInt(seq), pointType]));
  const payouts = new Map<bigint, PayoutOfBatch>();
  for (const { places, pointType, fileName, read, ...row } of rows)
    for (const [seq, part] of Object.entries(places))
      if (typeOf.get(BigInt(seq)) === pointType)
        payouts.set(BigInt(seq), {
          ...withPoints(withTimes(row, "firstDueAt"), "points"),
          name: fileName ?? row.id,
          part,
          isWhole: read <= PAYOUT_BATCHES_READ,
        });
  return payouts;
}
