import { PAYOUT_SUMS, type PayoutSums } from "@/server/batches/list/read-payouts";
import { addressFromBytes } from "@/server/kernel/address-bytes";
import { withPoints, withTimes } from "@/server/kernel/batch-rows";
import type { ServiceContext } from "@/server/kernel/context";
import { HOLDER_REFERENCE_PATTERN, type PointType } from "@/terms/batch-terms";
import { getAllocation } from "./list-allocations";
import { PAYMENTS_MAX, type PaymentsInput } from "./schema";

const SNAPSHOT_DIGITS = 16;

export const referenceOf = ({ snapshotId }: { snapshotId: string }, address: string) =>
  `${snapshotId.replaceAll("-", "").slice(0, SNAPSHOT_DIGITS)}:${address.toLowerCase()}`;

/** What pays an address by these references. What was taken back pays nobody. */
export async function listPaid(
  { db: { sql } }: Pick<ServiceContext, "db">,
  address: Buffer,
  references: readonly string[],
) {
  const rows = await sql<{ reference: string; pointType: PointType; points: string; at: string | null }[]>`
    select r.reference, b.point_type as "pointType", t.points[r.position + 1]::text as points,
      b.finalized_at as at
    from contracts c
      join transfer_references r on r.contract_address = c.address
      join batches b on b.contract_address = r.contract_address and b.seq = r.batch_seq
      join batch_transfers t on t.contract_address = r.contract_address and t.batch_seq = r.batch_seq
    where r.is_live and r.reference = any(${`{${references.join(",")}}`}::text::text[])
      and b.status <> 'CANCELLED' and substring(t.addresses from r.position * 20 + 1 for 20) = ${address}
      and not exists (
        select 1 from reversed_transfers v
          join batches o on o.contract_address = v.contract_address and o.seq = v.reversal_seq
        where v.contract_address = r.contract_address and v.batch_seq = r.batch_seq
          and v.to_address = ${address} and o.status = 'FINALIZED')
    order by b.seq`;
  return rows.map((row) => withPoints(withTimes(row, "at"), "points"));
}

/** Batches that pay holders of a snapshot: those of one payout, or one of none. Cancelled ones pay nobody. */
export interface HolderPayment extends PayoutSums {
  contractAddress: string;
  contractLabel: string;
  payoutId: string | null;
  /** Of its first batch. */
  batchId: string;
  fileName: string | null;
  pointType: PointType;
  /** Transfers with a reference to the snapshot. `transferCount` has them all. */
  holders: number;
  points: string;
  takenBack: string;
}

/**
 * What pays an allocation, or the snapshot of a reference, newest first: batches with references to the
 * snapshot, and so also those that pay another one of its allocations. Others may begin their own references
 * with the same digits. A range of the index that keeps a contract from paying a reference twice, for each
 * contract.
 * @throws DomainError `allocation_not_found`
 */
export async function listPayments(ctx: ServiceContext, input: PaymentsInput): Promise<HolderPayment[]> {
  const { sql } = ctx.db;
  const reference = "reference" in input ? input.reference : referenceOf(await getAllocation(ctx, input), "");
  const digits = reference.slice(0, SNAPSHOT_DIGITS);
  const rows = await sql<(Omit<HolderPayment, "contractAddress"> & { contract: Buffer })[]>`
    with paid as materialized (
      select c.address, c.label, r.batch_seq, count(*) as holders
      from contracts c join transfer_references r on r.contract_address = c.address
      where r.is_live and r.reference >= ${`${digits}:`} and r.reference < ${`${digits};`}
        and r.reference ~ ${HOLDER_REFERENCE_PATTERN.source}
      group by c.address, c.label, r.batch_seq
    ), taken as materialized (
      select d.address, d.batch_seq, sum(r.points) as points
      from paid d join batches r on r.contract_address = d.address and r.reverses_seq = d.batch_seq
      where r.status = 'FINALIZED'
      group by d.address, d.batch_seq
    )
    select d.address as contract, d.label as "contractLabel", p.payout_id as "payoutId",
      (array_agg(b.id order by b.seq))[1] as "batchId", min(p.file_name) as "fileName",
      b.point_type as "pointType", sum(d.holders)::float8 as holders, sum(b.points)::text as points,
      coalesce(sum(t.points), 0)::text as "takenBack",
      ${sql.unsafe(PAYOUT_SUMS)}
    from paid d
      join batches b on b.contract_address = d.address and b.seq = d.batch_seq
      left join payout_parts p on p.contract_address = b.contract_address and p.batch_seq = b.seq
      left join taken t on t.address = d.address and t.batch_seq = d.batch_seq
    where b.status <> 'CANCELLED'
    group by d.address, d.label, b.point_type, p.payout_id, case when p.payout_id is null then b.seq end
    order by max(b.created_at) desc limit ${PAYMENTS_MAX}`;
  return rows.map(({ contract, ...row }) => ({
    ...withPoints(withTimes(row, "firstDueAt"), "points", "takenBack"),
    contractAddress: addressFromBytes(contract),
  }));
}
