import { sql as drizzleSql } from "drizzle-orm";
import type { Fragment, Sql } from "postgres";
import { asFragment, conditionsByKey, createdWithin } from "@/server/batches/list/conditions";
import { readReversed } from "@/server/batches/list/get-batch";
import { listScope } from "@/server/batches/list/list-batches";
import { isoTime } from "@/server/batches/list/listed-rows";
import { addressFromBytes, addressToBytes } from "@/server/kernel/address-bytes";
import {
  type BatchRow,
  ofBatches,
  REVERSAL_COLUMNS,
  toReversalState,
  toTimestamp,
  withPoints,
  withTimes,
} from "@/server/kernel/batch-rows";
import type { ServiceContext } from "@/server/kernel/context";
import { decodeNumbers, encodeNumbers, SEQ_MAX } from "@/server/kernel/cursor";
import { unindexedTransfers } from "@/server/ledger/index-recipients";
import { LIST_LIMIT_DEFAULT } from "@/terms/batch-schema";
import { byPointType, type PointType } from "@/terms/batch-terms";
import { LATEST_MS } from "@/terms/fields";
import { COUNT_MAX } from "@/terms/filters";
import { formatPoints, parsePoints, parseSum } from "@/terms/points";
import type { FilteredPoints, ListReceivedInput, ReceivedFilters, ReceivedTransfer } from "./schema";

/**
 * A CTE with what was or is about to be taken back from an address: the latest `COUNT_MAX` + 1, each looked
 * up by key.
 */
export const takenFrom = (sql: Sql, address: Buffer) => sql`
  reversed_rows as materialized (
    select contract_address, reversal_seq, points
    from reversed_transfers
    where to_address = ${address}
    order by reversal_seq desc
    limit ${COUNT_MAX + 1}
  ),
  taken as materialized (
    select b.point_type, b.status, r.points
    from reversed_rows r cross join lateral (
      select point_type, status
      from batches
      where contract_address = r.contract_address and seq = r.reversal_seq
      group by contract_address, seq
    ) b
  )`;

/** What the reversals among these rows take back, and which reversals took back others, unless cancelled. */
export async function readReversalLinks(ctx: ServiceContext, address: string, rows: readonly TransferRow[]) {
  const { sql } = ctx.db;
  const [reverses, reversing] = await Promise.all([
    readReversed(ctx, rows),
    rows.length > 0
      ? sql<(BatchRow & { seq: string })[]>`
          select r.batch_seq as seq, ${sql.unsafe(REVERSAL_COLUMNS)}
          from reversed_transfers r
            join batches b on b.contract_address = r.contract_address and b.seq = r.reversal_seq
          where r.to_address = ${addressToBytes(address)} and ${ofBatches(sql, "r", "batch_seq", rows)}`
      : [],
  ]);
  return { reverses, reversedBy: new Map(reversing.map((row) => [row.seq, toReversalState(row)])) };
}

/** What a transfer shows of its batch and contract `c`. */
const BATCH_COLUMNS = {
  contractLabel: "c.label",
  batchId: "batches.id",
  pointType: "batches.point_type",
  status: "batches.status",
  finalizeAt: "batches.finalize_at",
  heldAt: "case when batches.status = 'PENDING' then batches.held_at end",
  heldBy: "case when batches.status = 'PENDING' then batches.held_by end",
  holdReason: "case when batches.status = 'PENDING' then batches.hold_reason end",
  awaitsApproval: "batches.status = 'PENDING' and batches.awaits_approval",
  creditedAt: "batches.finalized_at",
  cancelledAt: "batches.cancelled_at",
  cancelledBy: "batches.cancelled_by",
  cancelReason: "batches.cancel_reason",
} as const satisfies { [Name in keyof ReceivedTransfer]?: string };
type BatchColumn = keyof typeof BATCH_COLUMNS;

const SELECTED = Object.entries(BATCH_COLUMNS)
  .map(([name, column]) => `${column} as "${name}"`)
  .join(", ");

/**
 * Transfers with details of their batches, each looked up by key. GROUP BY the key prevents a join of whole
 * tables. OFFSET 0 would do the same, but Citus does not support it there.
 * @param transfers name of a materialized CTE with `created_at`, `batch_seq`, `contract_address` and
 * `points`, aliased as `t`
 * @param matches a condition on `batches`
 */
export const withBatches = (sql: Sql, transfers: string, matches = sql`true`) => sql`
  select t.created_at as "createdAt", t.batch_seq as seq, t.contract_address as "contractAddress", t.points, b.*
  from ${sql(transfers)} t cross join lateral (
    select ${sql.unsafe(SELECTED)}, batches.reverses_seq as "reversesSeq", ${matches} as matches
    from batches join contracts c on c.address = batches.contract_address
    where batches.contract_address = t.contract_address and batches.seq = t.batch_seq
    group by batches.contract_address, batches.seq, c.address
  ) b`;

/** Only what orders transfers and adds them up, which takes half the time. For those created in time. */
const withEnds = (sql: Sql, transfers: string, filters: ReceivedFilters) => sql`
  select t.created_at, t.batch_seq, t.contract_address, t.points, b.*
  from ${sql(transfers)} t cross join lateral (
    select batches.point_type, batches.status, batches.reverses_seq is not null as is_reversal,
      batches.status = 'PENDING' and batches.held_at is not null as is_held,
      coalesce(batches.finalized_at, batches.cancelled_at, ${pendingEnd(sql)}) as ended_at,
      ${isWanted(sql, filters)} as matches
    from batches
    where batches.contract_address = t.contract_address and batches.seq = t.batch_seq
    group by batches.contract_address, batches.seq
  ) b`;

/** Before all that has ended, and the sooner it is due the earlier; what is stopped has no due time. */
const pendingEnd = (sql: Sql) => sql`
  ${isoTime(LATEST)}::timestamptz - make_interval(secs => extract(epoch from
    case when batches.status = 'PENDING' and (batches.held_at is not null or batches.awaits_approval)
      then timestamptz '3000-01-01T00:00:00Z' else batches.finalize_at end)::float8)`;

/** The filters on creation time, for a table or CTE with `created_at`. */
export const withinTime = (sql: Sql, filters: Parameters<typeof createdWithin>[0]) =>
  asFragment(sql, createdWithin(filters, drizzleSql`created_at`));

/** All other filters, as those of the batches' list. */
const isWanted = (sql: Sql, { address: _, ...filters }: ReceivedFilters) =>
  asFragment(sql, conditionsByKey(filters));

/** The newest transfers to an address that meet a condition on their place, indexed or not. */
const newestTransfers = (sql: Sql, address: Buffer, where: Fragment, rowsMost: number | Fragment) => sql`
  (
    select created_at, batch_seq, contract_address, points
    from recipient_transfers
    where to_address = ${address} and ${where}
    order by created_at desc, batch_seq desc
    limit ${rowsMost}
  )
  union all
  select created_at, batch_seq, contract_address, points
  from unindexed
  where ${where}
  order by created_at desc, batch_seq desc
  limit ${rowsMost}`;

const isFiltered = ({ address: _, ...filters }: ReceivedFilters): boolean =>
  Object.values(filters).some((value) => value !== undefined);

export interface TransferRow
  extends Pick<ReceivedTransfer, Exclude<BatchColumn, "batchId"> | "points" | "createdAt"> {
  contractAddress: Buffer;
  seq: string;
  /** Null in the only row of an empty page. */
  batchId: string | null;
  reversesSeq: string | null;
}

/** `sum_…` is what the page's first transfer and those below it add up to. */
interface PageRow extends TransferRow, Record<`sum_${PointType}`, string> {
  ended_at: string;
  is_whole: boolean;
  indexed_until: string;
  now: string;
  newest_at: string | null;
  newest_seq: string | null;
  /** The first transfer after the block. Null when there is none. */
  edge_at: string | null;
  edge_seq: string | null;
}

/** Where a page begins: the newest transfer of its block, and where the last row of the page before ended. */
type Place = readonly [createdMs: bigint, createdSeq: bigint, endedMs: bigint, endedSeq: bigint];

/** Later than every transfer. What has not ended counts as ending shortly before: `pendingEnd`. */
const LATEST = BigInt(LATEST_MS);
const START: Place = [LATEST, SEQ_MAX, LATEST, SEQ_MAX];

/** How many transfers of an address with more than `COUNT_MAX` are sorted for a page. */
export const BLOCK_TRANSFERS = 1000;

/**
 * What is pending comes first, by due time, then the latest credit or cancellation. No index has this order,
 * because a credit writes nothing to the recipient index. So a page sorts all transfers of an address. Of
 * more than `COUNT_MAX` it sorts a block, the newest ones by creation, and the block of those before them
 * follows. A page at the end of a block may be short, even empty, and still have a cursor.
 * @throws DomainError `invalid_cursor`, `cursor_mismatch`
 */
export async function listReceived(ctx: ServiceContext, input: ListReceivedInput) {
  const { limit = LIST_LIMIT_DEFAULT, cursor, ...filters } = input;
  const { address, ...others } = filters;
  const scope = listScope({ ...others, recipient: address }, "received");
  const place = typeof cursor === "string" ? decodeNumbers(cursor, scope, START, "address or filter") : START;
  const found = await readBlock(ctx, filters, place, limit + 1);
  const state = found[0]!;
  const rows = found.filter(({ batchId }) => batchId !== null);
  const page = rows.slice(0, limit);
  const links = await readReversalLinks(ctx, address, page);
  const isOnlyBlock = state.edge_at === null && place[0] === LATEST;
  const balances = isOnlyBlock && state.is_whole && !isFiltered(filters) ? balancesOf(page) : [];
  const isEndOfBlock = rows.length <= limit;
  const next = isEndOfBlock ? nextBlock(state) : placeAfter(page.at(-1)!, place, state);
  return {
    transfers: page.map(
      (row, index): ReceivedTransfer => ({ ...toTransfer(row, links), running: balances[index] ?? null }),
    ),
    cursor: next && encodeNumbers(next, scope),
    /** Where a page ended with its block. Its cursor continues from there. */
    searchedTo: isEndOfBlock && state.edge_at !== null ? toTimestamp(state.edge_at) : null,
    indexedUntil: state.is_whole ? null : toTimestamp(state.indexed_until),
    now: toTimestamp(state.now),
  };
}

const positionOf = (at: string, seq: string) => [BigInt(Date.parse(at)), BigInt(seq)] as const;

const nextBlock = ({ edge_at, edge_seq }: PageRow): Place | null =>
  edge_at === null ? null : [...positionOf(edge_at, edge_seq!), LATEST, SEQ_MAX];

/**
 * A block with others after it begins where it did on its first page, so that it keeps its transfers. One
 * that had none after it then stays as large as it was.
 */
function placeAfter(last: PageRow, place: Place, { edge_at, newest_at, newest_seq }: PageRow): Place {
  const [createdMs, createdSeq] =
    edge_at === null || place !== START ? place : positionOf(newest_at!, newest_seq!);
  return [createdMs, createdSeq, ...positionOf(last.ended_at, last.seq)];
}

/** The balances after each transfer of a page, from what its first one and those below it add up to. */
function balancesOf(page: readonly PageRow[]): Record<PointType, string>[] {
  const sums = byPointType((type) => parseSum(page[0]?.[`sum_${type}`] ?? "0"));
  return page.map(({ status, pointType, points, reversesSeq }) => {
    const balances = byPointType((type) => formatPoints(sums[type]));
    if (status === "FINALIZED") sums[pointType] -= (reversesSeq === null ? 1n : -1n) * parsePoints(points);
    return balances;
  });
}

/** All transfers that match, or a block of them if there are more than `COUNT_MAX`. */
function blockSize(sql: Sql, filters: ReceivedFilters, place: Place, inBlock: Fragment) {
  // A page with filters may find few, and the next pages of an address must sort what its first one did.
  if (isFiltered(filters) || (place !== START && place[0] === LATEST)) return sql`${COUNT_MAX}::int`;
  if (place !== START) return sql`${BLOCK_TRANSFERS}::int`;
  return sql`
    case when ${COUNT_MAX}::int < (
      select count(*)::int from (
        select 1 from recipient_transfers where to_address = ${addressToBytes(filters.address)} and ${inBlock}
        order by created_at desc, batch_seq desc limit ${COUNT_MAX + 1}
      ) as indexed
    ) + (
      select count(*)::int from unindexed where ${inBlock}
    ) then ${BLOCK_TRANSFERS}::int else ${COUNT_MAX}::int end`;
}

/**
 * Balances are exact sums of all transfers that ended by then, so only an address with a single block has
 * them. Everything is read in one snapshot. There is always a row with the state of the index and the block.
 */
function readBlock(
  { db: { sql } }: ServiceContext,
  filters: ReceivedFilters,
  place: Place,
  rowsMost: number,
) {
  const address = addressToBytes(filters.address);
  const [createdMs, createdSeq, endedMs, endedSeq] = place;
  const inBlock = sql`${withinTime(sql, filters)}
    and (created_at, batch_seq) <= (${isoTime(createdMs)}::timestamptz, ${createdSeq.toString()}::bigint)`;
  const follows = sql`
    (ended_at, batch_seq) < (${isoTime(endedMs)}::timestamptz, ${endedSeq.toString()}::bigint)`;
  const sumOf = (type: PointType) => sql`
    coalesce(sum(case when is_reversal then -points else points end) filter (
      where point_type = ${type}::point_type and status = 'FINALIZED'
    ), 0) as ${sql(`sum_${type}`)}`;
  return sql<PageRow[]>`
    with ${unindexedTransfers(sql, address)},
    size as materialized (select ${blockSize(sql, filters, place, inBlock)} as transfers),
    block as materialized (
      ${newestTransfers(sql, address, inBlock, sql`(select transfers + 1 from size)`)}
    ),
    newest as materialized (
      select created_at as newest_at, batch_seq as newest_seq
      from block
      order by created_at desc, batch_seq desc
      limit 1
    ),
    edge as materialized (
      select created_at as edge_at, batch_seq as edge_seq
      from block
      order by created_at desc, batch_seq desc
      offset (select transfers from size)
    ),
    following as materialized (
      select *
      from (${withEnds(sql, "block", filters)}) as t
      where ${follows}
        and not exists (select 1 from edge where edge_at = t.created_at and edge_seq = t.batch_seq)
    ),
    sums as materialized (
      select ${sumOf("PHASE2_POINTS")}, ${sumOf("PHASE2_GOLD")} from following
    ),
    page as materialized (
      select created_at, batch_seq, contract_address, points, ended_at
      from following
      where matches
      order by ended_at desc, batch_seq desc
      limit ${rowsMost}
    )
    select r.is_whole, r.indexed_until, now() as now, n.*, e.*, s.*, p.*, o.ended_at
    from reach r cross join sums s left join newest n on true left join edge e on true
      left join (${withBatches(sql, "page")}) as p on true
      left join page o on o.contract_address = p."contractAddress" and o.batch_seq = p.seq
    order by o.ended_at desc, o.batch_seq desc`;
}

const SHOWN = [...(Object.keys(BATCH_COLUMNS) as BatchColumn[]), "points", "createdAt"] as const;

export function toTransfer(
  row: TransferRow,
  { reverses, reversedBy }: Awaited<ReturnType<typeof readReversalLinks>>,
): Omit<ReceivedTransfer, "running"> {
  const shown = Object.fromEntries(SHOWN.map((name) => [name, row[name]])) as Pick<
    ReceivedTransfer,
    (typeof SHOWN)[number]
  >;
  const timed = withTimes(shown, "createdAt", "finalizeAt", "heldAt", "creditedAt", "cancelledAt");
  return {
    ...withPoints(timed, "points"),
    contractAddress: addressFromBytes(row.contractAddress),
    reverses: row.reversesSeq === null ? null : reverses.get(BigInt(row.reversesSeq))!,
    reversedBy: reversedBy.get(row.seq) ?? null,
  };
}

type SumRow = FilteredPoints & { point_type: PointType; is_whole: boolean };

export type ReceivedSums = Awaited<ReturnType<typeof sumReceived>>;

/** Sums of the newest 10,000 transfers to an address that match the filters, exact if there are no more. */
export async function sumReceived({ db: { sql } }: ServiceContext, filters: ReceivedFilters) {
  const address = addressToBytes(filters.address);
  const rows = await sql<SumRow[]>`
    with ${unindexedTransfers(sql, address)},
    newest as materialized (
      ${newestTransfers(sql, address, withinTime(sql, filters), COUNT_MAX + 1)}
    ),
    described as materialized (${withEnds(sql, "newest", filters)})
    select kind.point_type,
      (select is_whole from reach) and (select count(*) from newest) <= ${COUNT_MAX} as is_whole,
      count(*) filter (where not is_reversal)::int as transfers,
      coalesce(sum(points) filter (where not is_reversal and status = 'FINALIZED'), 0) as credited,
      coalesce(sum(points) filter (
        where not is_reversal and not is_held and status in ('PENDING', 'FINALIZING')
      ), 0) as pending,
      coalesce(sum(points) filter (where not is_reversal and is_held), 0) as held,
      coalesce(sum(points) filter (where not is_reversal and status = 'CANCELLED'), 0) as cancelled,
      coalesce(sum(points) filter (where is_reversal and status = 'FINALIZED'), 0) as "takenBack",
      coalesce(sum(points) filter (
        where is_reversal and status in ('PENDING', 'FINALIZING')
      ), 0) as "takingBack"
    from unnest(enum_range(null::point_type)) as kind (point_type)
      left join described d on d.point_type = kind.point_type and d.matches
    group by kind.point_type`;
  return {
    points: byPointType((type) => toFiltered(rows.find((row) => row.point_type === type)!)),
    /** False if only the newest transfers were added up. The sums are then minimums. */
    isWhole: rows[0]!.is_whole,
  };
}

const toFiltered = ({ point_type: _, is_whole: __, ...sums }: SumRow): FilteredPoints =>
  withPoints(sums, "credited", "pending", "held", "cancelled", "takenBack", "takingBack");
