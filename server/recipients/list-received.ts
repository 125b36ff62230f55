import { sql as drizzleSql } from "drizzle-orm";
import type { Fragment, Sql } from "postgres";
import type { Database } from "@/db/client";
import { asFragment, conditionsByKey, createdWithin } from "@/server/batches/list/conditions";
import { listScope } from "@/server/batches/list/list-batches";
import { isoTime } from "@/server/batches/list/listed-rows";
import { addressFromBytes, addressToBytes } from "@/server/kernel/address-bytes";
import {
  type BatchRow,
  ofBatches,
  REVERSAL_COLUMNS,
  type ReversalState,
  toReversalState,
  toTimestamp,
  withPoints,
  withTimes,
} from "@/server/kernel/batch-rows";
import type { ServiceContext } from "@/server/kernel/context";
import { decodeNumbers, encodeNumbers, SEQ_MAX } from "@/server/kernel/cursor";
import { unindexedTransfers } from "@/server/ledger/index-recipients";
import { byPointType, type PointType } from "@/terms/batch-terms";
import { LATEST_MS } from "@/terms/fields";
import { COUNT_MAX } from "@/terms/filters";
import { formatPoints, parsePoints, parseSum } from "@/terms/points";
import type { FilteredPoints, ListReceivedInput, ReceivedFilters, ReceivedTransfer } from "./schema";

export interface ReversalLinks {
  /** ID of the batch that a reversal takes back, by the reversal's sequence number. */
  reverses: ReadonlyMap<string, string>;
  /** The reversal of a transfer, by the sequence number of the batch that paid. Not a cancelled one. */
  reversedBy: ReadonlyMap<string, ReversalState>;
}

type Row = { contract_address: Buffer; batch_seq: string; is_reversal: boolean };

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

export async function readReversalLinks(
  { sql }: Database,
  address: Buffer,
  rows: readonly Row[],
): Promise<ReversalLinks> {
  if (rows.length === 0) return { reverses: new Map(), reversedBy: new Map() };
  const keysOf = (some: readonly Row[]) =>
    some.map(({ contract_address, batch_seq }) => ({ contractAddress: contract_address, seq: batch_seq }));
  const reversals = rows.filter(({ is_reversal }) => is_reversal);
  const [reversed, reversing] = await Promise.all([
    reversals.length > 0
      ? sql<{ seq: string; id: string }[]>`
          select b.seq, o.id
          from batches b join batches o on o.contract_address = b.contract_address and o.seq = b.reverses_seq
          where ${ofBatches(sql, "b", "seq", keysOf(reversals))}`
      : [],
    sql<(BatchRow & { seq: string })[]>`
      select r.batch_seq as seq, ${sql.unsafe(REVERSAL_COLUMNS)}
      from reversed_transfers r
        join batches b on b.contract_address = r.contract_address and b.seq = r.reversal_seq
      where r.to_address = ${address} and ${ofBatches(sql, "r", "batch_seq", keysOf(rows))}`,
  ]);
  return {
    reverses: new Map(reversed.map(({ seq, id }) => [seq, id])),
    reversedBy: new Map(reversing.map((row) => [row.seq, toReversalState(row)])),
  };
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
 * Transfers with details of their batches, each looked up by key, and whether they match the filters. GROUP
 * BY the key prevents a join of whole tables. OFFSET 0 would do the same, but Citus does not support it
 * there.
 * @param transfers name of a materialized CTE with `created_at`, `batch_seq`, `contract_address` and
 * `points`, aliased as `t`
 */
export const withBatches = (sql: Sql, transfers: string, filters: Partial<ReceivedFilters> = {}) => sql`
  select t.created_at, t.batch_seq, t.contract_address, t.points, b.*,
    ${withinTime(sql, filters)} and b.is_wanted as matches
  from ${sql(transfers)} t cross join lateral (
    select ${sql.unsafe(SELECTED)}, batches.reverses_seq is not null as is_reversal,
      ${isWanted(sql, filters)} as is_wanted
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

const NO_DUE_TIME = "3000-01-01T00:00:00Z";

/** Before all that has ended, and the sooner it is due the earlier; what is stopped has no due time. */
const pendingEnd = (sql: Sql) => sql`${END.at}::timestamptz - make_interval(secs => extract(epoch from
  case when batches.status = 'PENDING' and (batches.held_at is not null or batches.awaits_approval)
    then ${NO_DUE_TIME}::timestamptz else batches.finalize_at end)::float8)`;

/** The filters on creation time, for a table or CTE with `created_at`. */
export const withinTime = (sql: Sql, filters: Parameters<typeof createdWithin>[0]) =>
  asFragment(sql, createdWithin(filters, drizzleSql`created_at`));

/** All other filters, as those of the batches' list. */
const isWanted = (sql: Sql, { address: _, ...filters }: Partial<ReceivedFilters>) =>
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

export const isFiltered = ({ address: _, ...filters }: ReceivedFilters): boolean =>
  Object.values(filters).some((value) => value !== undefined);

const LIMIT_DEFAULT = 50;

export interface TransferRow extends Pick<ReceivedTransfer, Exclude<BatchColumn, "batchId"> | "points"> {
  created_at: string;
  contract_address: Buffer;
  batch_seq: string;
  /** Null in the only row of an empty page. */
  batchId: string | null;
  is_reversal: boolean;
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

export type Position = { created_at: string; batch_seq: string };

/** Where a page begins. */
interface Place {
  block: Position;
  /** When the last row of the page before ended, and its sequence number. */
  after: { ended_at: string; batch_seq: string };
}

/** Later than every transfer. What has not ended counts as ending shortly before: `pendingEnd`. */
const END = { at: new Date(LATEST_MS).toISOString(), seq: SEQ_MAX.toString() };
const START: Place = {
  block: { created_at: END.at, batch_seq: END.seq },
  after: { ended_at: END.at, batch_seq: END.seq },
};

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
  const { limit = LIMIT_DEFAULT, cursor, ...filters } = input;
  const { address, ...others } = filters;
  const scope = listScope({ ...others, recipient: address }, "received");
  const place = typeof cursor === "string" ? readCursor(cursor, scope) : START;
  const found = await readBlock(ctx, filters, place, limit + 1);
  const state = found[0]!;
  const rows = found.filter(({ batchId }) => batchId !== null);
  const page = rows.slice(0, limit);
  const links = await readReversalLinks(ctx.db, addressToBytes(address), page);
  const isOnlyBlock = state.edge_at === null && place.block === START.block;
  const balances = isOnlyBlock && state.is_whole && !isFiltered(filters) ? balancesOf(page) : [];
  const isEndOfBlock = rows.length <= limit;
  const next = isEndOfBlock ? nextBlock(state) : { block: blockOf(place, state), after: page.at(-1)! };
  return {
    transfers: page.map(
      (row, index): ReceivedTransfer => ({ ...toTransfer(row, links), running: balances[index] ?? null }),
    ),
    cursor: next && encodePlace(next, scope),
    /** Where a page ended with its block. Its cursor continues from there. */
    searchedTo: isEndOfBlock && state.edge_at !== null ? toTimestamp(state.edge_at) : null,
    indexedUntil: state.is_whole ? null : toTimestamp(state.indexed_until),
    now: toTimestamp(state.now),
  };
}

const nextBlock = ({ edge_at, edge_seq }: PageRow): Place | null =>
  edge_at === null ? null : { block: { created_at: edge_at, batch_seq: edge_seq! }, after: START.after };

/**
 * A block with others after it begins where it did on its first page, so that it keeps its transfers. One
 * that had none after it then stays as large as it was.
 */
const blockOf = (place: Place, { edge_at, newest_at, newest_seq }: PageRow): Position =>
  edge_at === null || place !== START ? place.block : { created_at: newest_at!, batch_seq: newest_seq! };

/** The balances after each transfer of a page, from what its first one and those below it add up to. */
function balancesOf(page: readonly PageRow[]): Record<PointType, string>[] {
  const sums = byPointType((type) => parseSum(page[0]?.[`sum_${type}`] ?? "0"));
  return page.map(({ status, pointType, points, is_reversal }) => {
    const balances = byPointType((type) => formatPoints(sums[type]));
    if (status === "FINALIZED") sums[pointType] -= (is_reversal ? -1n : 1n) * parsePoints(points);
    return balances;
  });
}

const PLACE_MAX = [BigInt(LATEST_MS), SEQ_MAX, BigInt(LATEST_MS), SEQ_MAX];

const encodePlace = ({ block, after }: Place, scope: string): string => {
  const times = [block.created_at, after.ended_at].map((at) => BigInt(Date.parse(at)));
  return encodeNumbers([times[0]!, BigInt(block.batch_seq), times[1]!, BigInt(after.batch_seq)], scope);
};

function readCursor(cursor: string, scope: string): Place {
  const [createdMs, blockSeq, endedMs, seq] = decodeNumbers(cursor, scope, PLACE_MAX, "address or filter");
  const isStart = createdMs === BigInt(LATEST_MS);
  return {
    block: isStart ? START.block : { created_at: isoTime(createdMs!), batch_seq: String(blockSeq) },
    after: { ended_at: isoTime(endedMs!), batch_seq: String(seq) },
  };
}

/** All transfers that match, or a block of them if there are more than `COUNT_MAX`. */
function blockSize(sql: Sql, filters: ReceivedFilters, place: Place, inBlock: Fragment) {
  // A page with filters may find few, and the next pages of an address must sort what its first one did.
  if (isFiltered(filters) || (place !== START && place.block === START.block)) return sql`${COUNT_MAX}::int`;
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
  const { block, after } = place;
  const inBlock = sql`${withinTime(sql, filters)}
    and (created_at, batch_seq) <= (${block.created_at}::timestamptz, ${block.batch_seq}::bigint)`;
  const follows = sql`(ended_at, batch_seq) < (${after.ended_at}::timestamptz, ${after.batch_seq}::bigint)`;
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
      left join page o on o.contract_address = p.contract_address and o.batch_seq = p.batch_seq
    order by o.ended_at desc, o.batch_seq desc`;
}

const SHOWN = [...(Object.keys(BATCH_COLUMNS) as BatchColumn[]), "points"] as const;

export function toTransfer(row: TransferRow, links: ReversalLinks): Omit<ReceivedTransfer, "running"> {
  const shown = Object.fromEntries(SHOWN.map((name) => [name, row[name]])) as Pick<
    ReceivedTransfer,
    (typeof SHOWN)[number]
  >;
  return {
    ...withPoints(withTimes(shown, "finalizeAt", "heldAt", "creditedAt", "cancelledAt"), "points"),
    contractAddress: addressFromBytes(row.contract_address),
    createdAt: toTimestamp(row.created_at),
    reverses: links.reverses.get(row.batch_seq) ?? null,
    reversedBy: links.reversedBy.get(row.batch_seq) ?? null,
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
    described as materialized (${withEnds(sql, "newest", filters)}),
    summed as materialized (
      select point_type,
        count(*) filter (where not is_reversal)::int as transfers,
        sum(points) filter (where not is_reversal and status = 'FINALIZED') as credited,
        sum(points) filter (
          where not is_reversal and not is_held and status in ('PENDING', 'FINALIZING')
        ) as pending,
        sum(points) filter (where not is_reversal and is_held) as held,
        sum(points) filter (where not is_reversal and status = 'CANCELLED') as cancelled,
        sum(points) filter (where is_reversal and status = 'FINALIZED') as "takenBack",
        sum(points) filter (where is_reversal and status in ('PENDING', 'FINALIZING')) as "takingBack"
      from described
      where matches
      group by point_type
    )
    select kind.point_type,
      (select is_whole from reach) and (select count(*) from newest) <= ${COUNT_MAX} as is_whole,
      coalesce(s.transfers, 0) as transfers,
      coalesce(s.credited, 0) as credited,
      coalesce(s.pending, 0) as pending,
      coalesce(s.held, 0) as held,
      coalesce(s.cancelled, 0) as cancelled,
      coalesce(s."takenBack", 0) as "takenBack",
      coalesce(s."takingBack", 0) as "takingBack"
    from unnest(enum_range(null::point_type)) as kind (point_type)
      left join summed s on s.point_type = kind.point_type`;
  return {
    points: byPointType((type) => toFiltered(rows.find((row) => row.point_type === type)!)),
    /** False if only the newest transfers were added up. The sums are then minimums. */
    isWhole: rows[0]!.is_whole,
  };
}

const toFiltered = ({ point_type: _, is_whole: __, ...sums }: SumRow): FilteredPoints =>
  withPoints(sums, "credited", "pending", "held", "cancelled", "takenBack", "takingBack");
