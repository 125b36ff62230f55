import type { Fragment, Sql } from "postgres";
import { addressFromBytes, addressToBytes } from "@/server/kernel/address-bytes";
import { toTimestamp } from "@/server/kernel/batch-rows";
import type { ServiceContext } from "@/server/kernel/context";
import { unindexedTransfers } from "@/server/ledger/index-recipients";
import { byPointType, OVERDUE_AFTER_SECONDS, POINT_TYPES, type PointType } from "@/terms/batch-terms";
import { COUNT_MAX } from "@/terms/filters";
import { formatPoints, parseSum, shortestPoints } from "@/terms/points";
import type { ConsoleRecipient, Holding, ReceivedPoints } from "./schema";

/** What is known about the address, the same in each row, and its points of one type. */
type RecipientRow = Omit<ConsoleRecipient, "address" | "points"> &
  Omit<ReceivedPoints, "balance"> & { pointType: PointType };

/** Received and pending points of an address. Zero if it was never paid. */
export async function describeRecipient(
  ctx: ServiceContext,
  input: { address: string },
): Promise<ConsoleRecipient> {
  const address = addressToBytes(input.address);
  const rows = await readTotals(ctx, address);
  const { label, contractLabel, transferCount, isWhole, ...times } = rows[0]!;
  return {
    address: addressFromBytes(address),
    label,
    contractLabel,
    points: byPointType((type) => toReceived(rows.find(({ pointType }) => pointType === type)!)),
    transferCount,
    isWhole,
    indexedUntil: times.indexedUntil && toTimestamp(times.indexedUntil),
    now: toTimestamp(times.now),
  };
}

/**
 * One row per point type. An account's `received` includes what its own reversals took back, which nobody
 * paid it. All that leaves an account that is no contract is taken back, so its `sent` is exact.
 */
const readTotals = ({ db: { sql } }: ServiceContext, address: Buffer) => sql<RecipientRow[]>`
    with ${unindexedTransfers(sql, address)},
    ${openBatches(sql, address)},
    ${pendingSums(sql, address)},
    ${names(sql, address)},
    ${takenBack(sql, address)},
    account as materialized (
      select point_type, received, sent from accounts where address = ${address}
    )
    select now() as now,
      (select count(*) from older_batches) <= ${COUNT_MAX}
        and (select count(*) from taken) <= ${COUNT_MAX} as "isWhole",
      (select indexed_until from reach where not is_whole) as "indexedUntil",
      (select label from own) as label,
      (select label from contract) as "contractLabel",
      least(
        (select count(*) from newest) + (select count(*) from unindexed), ${COUNT_MAX + 1}
      )::int as "transferCount",
      kind.point_type as "pointType",
      coalesce(a.received, 0) - coalesce(o.points, 0) as received,
      coalesce(p.expected, 0) as expected,
      p.first_due_at as "firstDueAt",
      p.last_due_at as "lastDueAt",
      coalesce(p.overdue, 0) as overdue,
      p.overdue_since as "overdueSince",
      coalesce(p.delayed, 0) as delayed,
      case
        when exists (select 1 from contract) then coalesce(r.points, 0)
        else coalesce(a.sent, 0)
      end as "takenBack",
      coalesce(r.pending, 0) as "takingBack"
    from unnest(enum_range(null::point_type)) as kind (point_type)
      left join account a on a.point_type = kind.point_type
      left join own_reversals o on o.point_type = kind.point_type
      left join reversed r on r.point_type = kind.point_type
      left join pending p on p.point_type = kind.point_type`;

/**
 * The batches that will pay the address, with the key of its transfer. Its pending transfers cannot be older
 * than the oldest pending batch, so older ones are not looked up. A batch may be on hold for a year: beyond
 * the newest `COUNT_MAX` transfers, pending ones are found by their batches, oldest first. ORDER BY keeps
 * `newest` in the index.
 */
const openBatches = (sql: Sql, address: Buffer) => sql`
    oldest_pending as materialized (
      select min(at) as at from (
        ${eachOpen(sql, (open) => sql`select min(created_at) as at from batches where ${open}`)}
      ) as oldest
    ), newest as materialized (
      select created_at, batch_seq, contract_address from recipient_transfers
      where to_address = ${address} order by created_at desc, batch_seq desc limit ${COUNT_MAX + 1}
    ), edge as materialized (
      select created_at, batch_seq from newest order by created_at desc, batch_seq desc offset ${COUNT_MAX}
    ), older_batches as materialized (
      ${eachOpen(sql, (open) => olderBatches(sql, open))}
    ), open_batches as materialized (
      select t.created_at, t.batch_seq, t.contract_address, b.*
      from newest t cross join lateral (${openBatch(sql)}) b
      where t.created_at >= (select at from oldest_pending)
      union all
      select created_at, batch_seq, contract_address, point_type, finalize_at, held_at, awaits_approval
      from older_batches where reverses_seq is null
    )`;

/** What the transfers of open batches add up to. GROUP BY keeps each lookup by key, as in `withBatches`. */
const pendingSums = (sql: Sql, address: Buffer) => sql`
    indexed as materialized (
      select o.point_type, o.finalize_at, o.held_at, o.awaits_approval, t.points
      from open_batches o cross join lateral (
        select points from recipient_transfers
        where to_address = ${address} and created_at = o.created_at and batch_seq = o.batch_seq
          and contract_address = o.contract_address
        group by to_address, created_at, batch_seq, contract_address
      ) t
    ), not_indexed as materialized (
      select b.*, t.points from unindexed t cross join lateral (${openBatch(sql)}) b
    ), pending as materialized (
      select point_type,
        sum(points) filter (where state = 'EXPECTED') as expected,
        min(finalize_at) filter (where state = 'EXPECTED') as first_due_at,
        max(finalize_at) filter (where state = 'EXPECTED') as last_due_at,
        sum(points) filter (where state = 'OVERDUE') as overdue,
        min(finalize_at) filter (where state = 'OVERDUE') as overdue_since,
        sum(points) filter (where state = 'DELAYED') as delayed
      from (
        select point_type, finalize_at, points,
          case
            when held_at is not null or awaits_approval then 'DELAYED'
            when finalize_at < now() - make_interval(secs => ${OVERDUE_AFTER_SECONDS}) then 'OVERDUE'
            else 'EXPECTED'
          end as state
        from (select * from indexed union all select * from not_indexed) as transfers
      ) as transfers
      group by point_type
    )`;

const names = (sql: Sql, address: Buffer) => sql`
    contract as materialized (
      select label from contracts where address = ${address}
    ), own as materialized (
      select label from recipient_labels where address = ${address}
    )`;

/**
 * What the address took back as a contract, and what others took back from it or are about to: the latest
 * `COUNT_MAX` + 1, each looked up by key.
 */
const takenBack = (sql: Sql, address: Buffer) => sql`
    own_reversals as materialized (
      select point_type, sum(points) as points from batches
      where contract_address = ${address} and reverses_seq is not null and status = 'FINALIZED'
      group by point_type
    ), reversed_rows as materialized (
      select contract_address, reversal_seq, points from reversed_transfers
      where to_address = ${address} order by reversal_seq desc limit ${COUNT_MAX + 1}
    ), taken as materialized (
      select b.point_type, b.status, r.points
      from reversed_rows r cross join lateral (
        select point_type, status from batches
        where contract_address = r.contract_address and seq = r.reversal_seq
        group by contract_address, seq
      ) b
    ), reversed as materialized (
      select point_type,
        sum(points) filter (where status = 'FINALIZED') as points,
        sum(points) filter (where status <> 'FINALIZED') as pending
      from taken group by point_type
    )`;

/** A select per kind of batch that is not final, so that each reads a range of `batches_by_status_type`. */
function eachOpen(sql: Sql, read: (open: Fragment) => Fragment) {
  const kinds = POINT_TYPES.flatMap((type) =>
    ["PENDING", "FINALIZING"].map(
      (status) => sql`point_type = ${type}::point_type and status = ${status}::batch_status`,
    ),
  );
  return kinds.map((open, at) => sql`${at === 0 ? sql`` : sql`union all`} (${read(open)}) `);
}

/** Those created before the last of `newest`, if there are more transfers. */
const olderBatches = (sql: Sql, open: Fragment) => sql`
  select created_at, seq as batch_seq, contract_address, point_type, finalize_at, held_at, awaits_approval,
    reverses_seq
  from batches where ${open} and (created_at, seq) < (select created_at, batch_seq from edge)
  order by created_at, seq limit ${COUNT_MAX + 1}`;

const openBatch = (sql: Sql) => sql`
  select point_type, finalize_at, held_at, awaits_approval from batches
  where contract_address = t.contract_address and seq = t.batch_seq and status in ('PENDING', 'FINALIZING')
    and reverses_seq is null
  group by contract_address, seq`;

const toReceived = (row: RecipientRow): ReceivedPoints => ({
  ...toHolding(row),
  expected: shortestPoints(row.expected),
  firstDueAt: row.firstDueAt && toTimestamp(row.firstDueAt),
  lastDueAt: row.lastDueAt && toTimestamp(row.lastDueAt),
  overdue: shortestPoints(row.overdue),
  overdueSince: row.overdueSince && toTimestamp(row.overdueSince),
  delayed: shortestPoints(row.delayed),
  takingBack: shortestPoints(row.takingBack),
});

export const toHolding = ({ received, takenBack }: Omit<Holding, "balance">): Holding => ({
  balance: formatPoints(parseSum(received) - parseSum(takenBack)),
  received: shortestPoints(received),
  takenBack: shortestPoints(takenBack),
});
