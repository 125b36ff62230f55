import type { ServiceContext } from "../kernel/context";
import { addressFromBytes, addressToBytes } from "../kernel/values/addresses";
import { toTimestamp } from "../kernel/values/batch-rows";
import { POINT_TYPES, type PointType } from "../kernel/values/point-types";
import { shortestPoints } from "../kernel/values/points";
import { COUNT_MAX, type ConsoleRecipient, type ReceivedPoints } from "./console-schema";
import { freshTransfers } from "./fresh-transfers";

interface RecipientRow {
  now: string;
  is_whole: boolean;
  indexed_until: string;
  label: string | null;
  contract_label: string | null;
  transfers: number;
  first_at: string | null;
  latest_at: string | null;
  point_type: PointType;
  received: string;
  waiting: string;
  waiting_transfers: number;
  next_due_at: string | null;
  held: string;
  held_transfers: number;
  taken_back: string;
  taking_back: string;
}

/** Received and pending points of an address. Zero if it was never paid. */
export async function describeRecipient(
  ctx: ServiceContext,
  input: { address: string },
): Promise<ConsoleRecipient> {
  const address = addressToBytes(input.address);
  const rows = await readTotals(ctx, address);
  const { now, is_whole, indexed_until, label, contract_label, transfers, first_at, latest_at } = rows[0]!;
  const byType = new Map(rows.map((row) => [row.point_type, toReceived(row)]));
  return {
    address: addressFromBytes(address),
    label,
    contractLabel: contract_label,
    points: Object.fromEntries(POINT_TYPES.map((type) => [type, byType.get(type)!])) as Record<
      PointType,
      ReceivedPoints
    >,
    transferCount: transfers,
    countMax: COUNT_MAX,
    firstAt: first_at && toTimestamp(first_at),
    latestAt: latest_at && toTimestamp(latest_at),
    indexedUntil: is_whole ? null : toTimestamp(indexed_until),
    now: toTimestamp(now),
  };
}

/**
 * One row per point type. An account's `received` includes what its own reversals took back, which nobody paid it. Pending transfers cannot be older than the oldest pending batch, so older ones are not read.
 * GROUP BY keeps the lookup in `batches` by key, as in with-batches.ts, and ORDER BY keeps the count in the index.
 */
function readTotals({ db: { sql } }: ServiceContext, address: Buffer) {
  return sql<RecipientRow[]>`
    with ${freshTransfers(sql, address)}, oldest_waiting as materialized (
      select least((select min(created_at) from batches where status = 'PENDING'),
        (select min(created_at) from batches where status = 'FINALIZING')) as at
    ), counted as materialized (
      select count(*)::int as transfers from (
        (select 1 from recipient_transfers where to_address = ${address} order by created_at limit ${COUNT_MAX + 1})
        union all
        select 1 from fresh limit ${COUNT_MAX + 1}
      ) as found
    ), recent as materialized (
      select contract_address, batch_seq, points from recipient_transfers
      where to_address = ${address} and created_at >= (select at from oldest_waiting)
      union all
      select contract_address, batch_seq, points from fresh
    ), waiting as materialized (
      select b.point_type,
        sum(t.points) filter (where b.held_at is null) as points, count(*) filter (where b.held_at is null)::int as transfers,
        sum(t.points) filter (where b.held_at is not null) as held,
        count(*) filter (where b.held_at is not null)::int as held_transfers,
        min(b.finalize_at) filter (where b.held_at is null and not b.awaits_approval) as next_due_at
      from recent t cross join lateral (
        select point_type, finalize_at, held_at, awaits_approval from batches
        where contract_address = t.contract_address and seq = t.batch_seq and status in ('PENDING', 'FINALIZING')
          and reverses_seq is null
        group by contract_address, seq
      ) b group by b.point_type
    ), edges as materialized (
      select least((select min(created_at) from recipient_transfers where to_address = ${address}),
          (select min(created_at) from fresh)) as first_at,
        greatest((select max(created_at) from recipient_transfers where to_address = ${address}),
          (select max(created_at) from fresh)) as latest_at
    ), contract as materialized (
      select label from contracts where address = ${address}
    ), own as materialized (
      select label from recipient_labels where address = ${address}
    ), account as materialized (
      select point_type, received from accounts where address = ${address}
    ), own_reversals as materialized (
      select point_type, sum(points) as points from batches
      where contract_address = ${address} and reverses_seq is not null and status = 'FINALIZED' group by point_type
    ), reversed as materialized (
      select b.point_type, sum(r.points) filter (where b.status = 'FINALIZED') as points,
        sum(r.points) filter (where b.status <> 'FINALIZED') as pending
      from reversed_transfers r join batches b on b.contract_address = r.contract_address and b.seq = r.reversal_seq
      where r.to_address = ${address} group by b.point_type
    )
    select now() as now, (select is_whole from reach) as is_whole, (select indexed_until from reach) as indexed_until,
      (select label from own) as label, (select label from contract) as contract_label, (select transfers from counted) as transfers,
      (select first_at from edges) as first_at, (select latest_at from edges) as latest_at,
      kind.point_type, coalesce(a.received, 0) - coalesce(o.points, 0) as received, coalesce(w.points, 0) as waiting,
      coalesce(w.transfers, 0) as waiting_transfers, w.next_due_at, coalesce(w.held, 0) as held,
      coalesce(w.held_transfers, 0) as held_transfers, coalesce(r.points, 0) as taken_back,
      coalesce(r.pending, 0) as taking_back
    from unnest(enum_range(null::point_type)) as kind (point_type)
      left join account a on a.point_type = kind.point_type
      left join own_reversals o on o.point_type = kind.point_type
      left join reversed r on r.point_type = kind.point_type
      left join waiting w on w.point_type = kind.point_type`;
}

function toReceived(row: RecipientRow): ReceivedPoints {
  return {
    received: shortestPoints(row.received),
    waiting: shortestPoints(row.waiting),
    waitingTransfers: row.waiting_transfers,
    nextDueAt: row.next_due_at && toTimestamp(row.next_due_at),
    held: shortestPoints(row.held),
    heldTransfers: row.held_transfers,
    takenBack: shortestPoints(row.taken_back),
    takingBack: shortestPoints(row.taking_back),
  };
}
