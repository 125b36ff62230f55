import { addressFromBytes } from "@/server/kernel/address-bytes";
import { ofBatches, withPoints, withTimes } from "@/server/kernel/batch-rows";
import type { ServiceContext } from "@/server/kernel/context";
import type { PointType } from "@/terms/batch-terms";
import type { PayoutOfBatch } from "./console-schema";
import { readNotPaid } from "./not-paid";

/** A list reads this many batches of each payout, so that a page never reads all of a huge one. */
const PAYOUT_BATCHES_READ = 1000;

/** Sums over batches `b`, as a row of `PayoutSums`. */
export const PAYOUT_SUMS = `count(*)::int as stored,
  coalesce(sum(b.transfer_count) filter (where b.status <> 'CANCELLED'), 0)::float8 as "transferCount",
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

interface PayoutRow extends PayoutSums, Pick<PayoutOfBatch, "id" | "partCount" | "points" | "nextDueAt"> {
  contract: Buffer;
  storedParts: number;
  /** The place in the file of each batch that was asked for, by its sequence number. */
  places: Record<string, number | null>;
  pointType: PointType;
  takenBack: string;
  fileName: string | null;
  /** Batches read, of all types. */
  read: number;
}

/**
 * The payouts of these batches, by sequence number. Batches of none have no entry. GROUP BY keeps a look-up
 * of each part: as a join, all batches of the contract were read.
 * @param of the reversals of its batches, if so the figures are those of what takes the payout back
 */
export async function readPayouts(
  { db }: Pick<ServiceContext, "db">,
  batches: readonly { contractAddress: Buffer; seq: bigint | string; pointType: PointType }[],
  of: "batches" | "reversals" = "batches",
): Promise<Map<bigint, PayoutOfBatch>> {
  const { sql } = db;
  const ofReversals = of === "reversals";
  if (batches.length === 0) return new Map();
  const takenBack = ofReversals
    ? sql`null::numeric`
    : sql`(select sum(r.points) from batches r where r.contract_address = p.contract_address
        and r.reverses_seq = p.batch_seq and r.status = 'FINALIZED')`;
  const rows = await sql<PayoutRow[]>`
    select wanted.contract_address as contract, wanted.payout_id as id, wanted.places, sums.*
    from (
      ${
        ofReversals
          ? sql`select p.contract_address, p.payout_id, json_object_agg(b.seq, null) as places
            from batches b
              join payout_parts p on p.contract_address = b.contract_address and p.batch_seq = b.reverses_seq`
          : sql`select b.contract_address, b.payout_id, json_object_agg(b.batch_seq, b.part) as places
            from payout_parts b`
      }
      where ${ofBatches(sql, "b", ofReversals ? "seq" : "batch_seq", batches)}
      group by 1, 2
    ) as wanted cross join lateral (
      select b.point_type as "pointType", max(b.part_count) as "partCount", min(b.file_name) as "fileName",
        count(distinct b.part)::int as "storedParts",
        coalesce(sum(b.points) filter (where b.status <> 'CANCELLED'), 0)::text as points,
        coalesce(sum(b.taken_back), 0)::text as "takenBack",
        min(b.finalize_at) filter (where b.status in ('PENDING', 'FINALIZING') and b.held_at is null)
          as "nextDueAt",
        (sum(count(*)) over ())::int as read, ${sql.unsafe(PAYOUT_SUMS)}
      from (
        select p.part, p.part_count, p.file_name, b.*, ${takenBack} as taken_back
        from (
          select contract_address, batch_seq, part, part_count, file_name from payout_parts
          where contract_address = wanted.contract_address and payout_id = wanted.payout_id
          order by batch_seq limit ${PAYOUT_BATCHES_READ + 1}
        ) as p cross join lateral (
          select point_type, status, points, transfer_count, finalize_at, held_at, awaits_approval
          from batches
          where contract_address = p.contract_address
            and ${sql(ofReversals ? "reverses_seq" : "seq")} = p.batch_seq
          group by contract_address, seq
        ) as b
      ) as b
      group by b.point_type
    ) as sums`;
  const typeOf = new Map(batches.map(({ seq, pointType }) => [BigInt(seq), pointType]));
  const payouts = new Map<bigint, PayoutOfBatch>();
  const fill = async ({ contract, places, pointType, fileName, read, ...row }: PayoutRow) => {
    const isWhole = read <= PAYOUT_BATCHES_READ;
    const { stored, counts } = row;
    const key = { contractAddress: addressFromBytes(contract), payoutId: row.id };
    const mayBeShort = !ofReversals && isWhole && counts.cancelled > 0 && counts.cancelled < stored;
    const notPaid = mayBeShort ? await readNotPaid(db, key) : [];
    const figures = {
      ...withPoints(withTimes(row, "firstDueAt", "nextDueAt"), "points", "takenBack"),
      name: fileName ?? row.id,
      ...(ofReversals && { partCount: null }),
      isWhole,
      isShort: notPaid.some((batch) => batch.pointType === pointType),
    };
    for (const [seq, part] of Object.entries(places))
      if (typeOf.get(BigInt(seq)) === pointType) payouts.set(BigInt(seq), { ...figures, part });
  };
  await Promise.all(rows.map(fill));
  return payouts;
}
