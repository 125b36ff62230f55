import { byPointType, type PointType } from "@/server/kernel/values/batch-terms";
import type { ServiceContext } from "../kernel/context";
import { addressToBytes } from "../kernel/values/addresses";
import { shortestPoints } from "../kernel/values/points";
import { COUNT_MAX, type FilteredPoints, type ReceivedFilters, type ReceivedSums } from "./console-schema";
import { unindexedTransfers } from "./unindexed-transfers";
import { withBatches, withinTime } from "./with-batches";

interface SumRow extends FilteredPoints {
  point_type: PointType;
  is_whole: boolean;
}

/** Sums of the newest 10,000 transfers to an address that match the filters, exact if there are no more. */
export async function sumReceived(
  { db: { sql } }: ServiceContext,
  filters: ReceivedFilters,
): Promise<ReceivedSums> {
  const address = addressToBytes(filters.address);
  const within = withinTime(sql, filters);
  const rows = await sql<SumRow[]>`
    with ${unindexedTransfers(sql, address)}, newest as materialized (
      (select created_at, batch_seq, contract_address, points from recipient_transfers
        where to_address = ${address} and ${within} order by created_at desc, batch_seq desc limit ${COUNT_MAX + 1})
      union all
      select created_at, batch_seq, contract_address, points from unindexed where ${within}
      order by created_at desc, batch_seq desc limit ${COUNT_MAX + 1}
    ), described as materialized (${withBatches(sql, "newest", filters)}
    ), summed as materialized (
      select point_type, count(*) filter (where not is_reversal)::int as transfers,
        sum(points) filter (where not is_reversal and status = 'FINALIZED') as credited,
        sum(points) filter (where not is_reversal and (status = 'FINALIZING' or status = 'PENDING' and held_at is null)) as pending,
        sum(points) filter (where not is_reversal and status = 'PENDING' and held_at is not null) as held,
        sum(points) filter (where not is_reversal and status = 'CANCELLED') as cancelled,
        sum(points) filter (where is_reversal and status = 'FINALIZED') as "takenBack",
        sum(points) filter (where is_reversal and status in ('PENDING', 'FINALIZING')) as "takingBack"
      from described where matches group by point_type
    )
    select kind.point_type, (select is_whole from reach) and (select count(*) from newest) <= ${COUNT_MAX} as is_whole,
      coalesce(s.transfers, 0) as transfers, coalesce(s.credited, 0) as credited, coalesce(s.pending, 0) as pending,
      coalesce(s.held, 0) as held, coalesce(s.cancelled, 0) as cancelled,
      coalesce(s."takenBack", 0) as "takenBack", coalesce(s."takingBack", 0) as "takingBack"
    from unnest(enum_range(null::point_type)) as kind (point_type) left join summed s on s.point_type = kind.point_type`;
  return {
    points: byPointType((type) => toFiltered(rows.find((row) => row.point_type === type)!)),
    isWhole: rows[0]!.is_whole,
  };
}

const toFiltered = (row: SumRow): FilteredPoints => ({
  transfers: row.transfers,
  credited: shortestPoints(row.credited),
  pending: shortestPoints(row.pending),
  held: shortestPoints(row.held),
  cancelled: shortestPoints(row.cancelled),
  takenBack: shortestPoints(row.takenBack),
  takingBack: shortestPoints(row.takingBack),
});
