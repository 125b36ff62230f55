import type { Fragment, Sql } from "postgres";
import type { Database } from "@/db/client";
import {
  addressArray,
  addressFromBytes,
  addressToBytes,
  distinctAddresses,
} from "@/server/kernel/address-bytes";
import {
  type BatchRow,
  REVERSAL_COLUMNS,
  type ReversalState,
  toReversalState,
  toTimestamp,
  withPoints,
  withTimes,
} from "@/server/kernel/batch-rows";
import type { ServiceContext } from "@/server/kernel/context";
import { decodeCursor, encodeCursor } from "@/server/kernel/cursor";
import { searchInSteps } from "@/server/kernel/search-in-steps";
import { addressKey } from "@/terms/address-text";
import { byPointType, OVERDUE_AFTER_SECONDS, type PointType } from "@/terms/batch-terms";
import { boundAfter, boundBefore } from "@/terms/fields";
import { COUNT_MAX } from "@/terms/filters";
import { shortestPoints } from "@/terms/points";
import { unindexedTransfers } from "./index-recipients";
import type {
  FilteredPoints,
  ListReceivedInput,
  ReceivedFilters,
  ReceivedSums,
  ReceivedTransfer,
} from "./schema";

/** How the transfers of a page and their reversals refer to each other. */
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
  const seqsOf = (some: readonly Row[]) => `{${some.map(({ batch_seq }) => batch_seq).join(",")}}`;
  const reversals = rows.filter(({ is_reversal }) => is_reversal);
  // Each once, so that Postgres expects no more lookups than there are.
  const contractsOf = (some: readonly Row[]) =>
    addressArray(distinctAddresses(some.map(({ contract_address }) => contract_address)));
  const [reversed, reversing] = await Promise.all([
    reversals.length > 0
      ? sql<{ seq: string; id: string }[]>`
          select b.seq, o.id
          from batches b join batches o on o.contract_address = b.contract_address and o.seq = b.reverses_seq
          where b.contract_address = any(${contractsOf(reversals)}::bytea[])
            and b.seq = any(${seqsOf(reversals)}::text::bigint[])`
      : [],
    sql<(BatchRow & { seq: string })[]>`
      select r.batch_seq as seq, ${sql.unsafe(REVERSAL_COLUMNS)}
      from reversed_transfers r
        join batches b on b.contract_address = r.contract_address and b.seq = r.reversal_seq
      where r.contract_address = any(${contractsOf(rows)}::bytea[])
        and r.to_address = ${address}
        and r.batch_seq = any(${seqsOf(rows)}::text::bigint[])`,
  ]);
  return {
    reverses: new Map(reversed.map(({ seq, id }) => [seq, id])),
    reversedBy: new Map(reversing.map((row) => [row.seq, toReversalState(row)])),
  };
}

/** What a transfer shows of its batch `b` and contract `c`. */
const BATCH_COLUMNS = {
  contractLabel: "c.label",
  batchId: "b.id",
  pointType: "b.point_type",
  status: "b.status",
  finalizeAt: "b.finalize_at",
  heldAt: "case when b.status = 'PENDING' then b.held_at end",
  heldBy: "case when b.status = 'PENDING' then b.held_by end",
  holdReason: "case when b.status = 'PENDING' then b.hold_reason end",
  awaitsApproval: "b.status = 'PENDING' and b.awaits_approval",
  creditedAt: "b.finalized_at",
  cancelledAt: "b.cancelled_at",
  cancelledBy: "b.cancelled_by",
  cancelReason: "b.cancel_reason",
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
  select
    t.created_at,
    t.batch_seq,
    t.contract_address,
    t.points,
    b.*,
    ${withinTime(sql, filters)} and ${batchMatches(sql, filters)} as matches
  from ${sql(transfers)} t cross join lateral (
    select ${sql.unsafe(SELECTED)}, b.reverses_seq is not null as is_reversal
    from batches b join contracts c on c.address = b.contract_address
    where b.contract_address = t.contract_address and b.seq = t.batch_seq
    group by b.contract_address, b.seq, c.address
  ) b`;

/** The filters on creation time, for a table or CTE with `created_at`. */
export function withinTime(
  sql: Sql,
  { createdAfter, createdBefore }: Pick<ReceivedFilters, "createdAfter" | "createdBefore">,
) {
  const since = boundAfter(createdAfter);
  const until = boundBefore(createdBefore);
  return sql`${since ? sql`created_at > ${since}::timestamptz` : sql`true`}
    and ${until ? sql`created_at < ${until}::timestamptz` : sql`true`}`;
}

/** All other filters, on a transfer `t` and its batch `b`. */
function batchMatches(sql: Sql, filters: Partial<ReceivedFilters>) {
  const { contractAddress, statuses, pointType, held, awaitingApproval, overdue } = filters;
  const wanted = `{${(statuses ?? []).join(",")}}`;
  return sql`${contractAddress ? sql`t.contract_address = ${addressToBytes(contractAddress)}` : sql`true`}
    and ${statuses?.length ? sql`b.status::text = any(${wanted}::text::text[])` : sql`true`}
    and ${pointType ? sql`b."pointType" = ${pointType}` : sql`true`}
    and ${held ? sql`b."heldAt" is not null` : sql`true`}
    and ${awaitingApproval ? sql`b."awaitsApproval"` : sql`true`}
    and ${
      overdue
        ? sql`(
            b.status in ('PENDING', 'FINALIZING')
            and b."heldAt" is null
            and not b."awaitsApproval"
            and b."finalizeAt" < now() - make_interval(secs => ${OVERDUE_AFTER_SECONDS})
          )`
        : sql`true`
    }`;
}

/** The newest transfers to an address that meet a condition on their place, indexed or not. */
const newestTransfers = (sql: Sql, address: Buffer, where: Fragment, rowsMost: number) => sql`
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

interface PageRow extends TransferRow {
  is_whole: boolean;
  indexed_until: string;
  now: string;
}

interface RunningRow extends PageRow {
  /** False when not everything above the page was read. The running sums are then wrong. */
  is_known: boolean;
  running_points: string;
  running_gold: string;
}

export type Position = { created_at: string; batch_seq: string };

interface Found<Row extends PageRow> {
  rows: Row[];
  /** A row with the state of the index; an empty page has one, too. */
  state: PageRow;
  searchedTo: Position | null;
}

/**
 * Newest first. Filtered pages may be short, even empty, and still have a cursor.
 * @throws DomainError `invalid_cursor`, `cursor_mismatch`
 */
export async function listReceived(ctx: ServiceContext, input: ListReceivedInput) {
  const { limit = LIMIT_DEFAULT, cursor, ...filters } = input;
  const scope = scopeOf(filters);
  const after = typeof cursor === "string" ? readCursor(cursor, scope) : null;
  const read = isFiltered(filters) ? searchRows : readRows;
  const { rows, state, searchedTo } = await read(ctx, filters, after, limit + 1);
  const page = rows.slice(0, limit);
  const links = await readReversalLinks(ctx.db, addressToBytes(filters.address), page);
  const last = rows.length > limit ? page.at(-1)! : searchedTo;
  return {
    transfers: page.map((row): ReceivedTransfer => ({ ...toTransfer(row, links), running: runningOf(row) })),
    cursor: last && encodeCursor({ atMs: Date.parse(last.created_at), seq: BigInt(last.batch_seq) }, scope),
    /** Where a search with filters stopped before it had filled the page. Its cursor continues from there. */
    searchedTo: searchedTo && toTimestamp(searchedTo.created_at),
    indexedUntil: state.is_whole ? null : toTimestamp(state.indexed_until),
    now: toTimestamp(state.now),
  };
}

function readCursor(cursor: string, scope: string): Position {
  const { atMs, seq } = decodeCursor(cursor, scope, "address or filter");
  return { created_at: new Date(atMs).toISOString(), batch_seq: seq.toString() };
}

const withoutEmpty = <Row extends PageRow>(rows: readonly Row[]) =>
  rows.filter(({ batchId }) => batchId !== null);

interface SearchRow extends PageRow {
  /** Transfers that this step looked at. Null when there were none. */
  searched: number | null;
  edge_at: string;
  edge_seq: string;
}

/** Reads an address's transfers in the order of the recipient index, and looks up each batch by key. */
async function searchRows(
  ctx: ServiceContext,
  filters: ReceivedFilters,
  after: Position | null,
  rowsLeast: number,
): Promise<Found<PageRow>> {
  let state: PageRow | undefined;
  const found = await searchInSteps<PageRow, Position>(ctx, after, rowsLeast, async (from, entriesMost) => {
    const rows = await readStep(ctx, filters, from, entriesMost);
    const { searched, edge_at, edge_seq } = rows[0]!;
    state ??= rows[0]!;
    const edge = { created_at: edge_at, batch_seq: edge_seq };
    return { rows: withoutEmpty(rows), searched: searched ?? 0, edge };
  });
  return { ...found, state: state! };
}

/**
 * The matching transfers among the next `rowsMost`, and always one row with the state of the index and the
 * edge.
 */
function readStep(
  { db: { sql } }: ServiceContext,
  filters: ReceivedFilters,
  after: Position | null,
  rowsMost: number,
) {
  const below = after
    ? sql`(created_at, batch_seq) < (${after.created_at}::timestamptz, ${after.batch_seq}::bigint)`
    : sql`true`;
  const address = addressToBytes(filters.address);
  return sql<SearchRow[]>`
    with ${unindexedTransfers(sql, address)},
    step as materialized (
      ${newestTransfers(sql, address, sql`${withinTime(sql, filters)} and ${below}`, rowsMost)}
    ),
    edge as materialized (
      select created_at as edge_at, batch_seq as edge_seq, (select count(*)::int from step) as searched
      from step
      order by created_at, batch_seq
      limit 1
    ),
    described as materialized (${withBatches(sql, "step", filters)})
    select r.is_whole, r.indexed_until, now() as now, e.*, d.*
    from reach r left join edge e on true left join described d on d.matches
    order by d.created_at desc, d.batch_seq desc`;
}

function scopeOf({ address, contractAddress, ...filters }: ReceivedFilters): string {
  const entries = Object.entries({
    ...filters,
    contractAddress: contractAddress && addressKey(contractAddress),
  }).filter(([, value]) => value !== undefined);
  return [
    `received=${addressKey(address)}`,
    ...entries.map(([name, value]) => `${name}=${String(value)}`).sort(),
  ].join("&");
}

/**
 * Running sums start from the account's total, without its own reversals and what was taken back from it,
 * minus what is above the page. So the first page, which is nearly all that is read, needs no other rows, and
 * a page below the newest `COUNT_MAX` has no sums. Everything is read in one snapshot, so the sums are exact.
 */
async function readRows(
  { db: { sql } }: ServiceContext,
  filters: ReceivedFilters,
  after: Position | null,
  limit: number,
): Promise<Found<RunningRow>> {
  const address = addressToBytes(filters.address);
  const position = after && sql`(${after.created_at}::timestamptz, ${after.batch_seq}::bigint)`;
  const below = position ? sql`(created_at, batch_seq) < ${position}` : sql`true`;
  const above = position ? sql`(created_at, batch_seq) >= ${position}` : sql`false`;
  const rows = await sql<RunningRow[]>`
    with ${unindexedTransfers(sql, address)},
    page as materialized (${newestTransfers(sql, address, below, limit)}),
    newer as materialized (
      (
        select contract_address, batch_seq, points
        from recipient_transfers
        where to_address = ${address} and ${above}
        order by created_at desc, batch_seq desc
        limit ${COUNT_MAX + 1}
      )
      union all
      select contract_address, batch_seq, points from unindexed where ${above}
    ),
    credits_above as materialized (
      select b.point_type, case when b.reverses_seq is null then n.points else -n.points end as points
      from newer n cross join lateral (
        select point_type, reverses_seq
        from batches
        where contract_address = n.contract_address and seq = n.batch_seq and status = 'FINALIZED'
        group by contract_address, seq
      ) b
      where (select count(*) from newer) <= ${COUNT_MAX}
    ),
    account as materialized (
      select point_type, received from accounts where address = ${address}
    ),
    own_reversals as materialized (
      select point_type, points
      from batches
      where contract_address = ${address} and reverses_seq is not null and status = 'FINALIZED'
    ),
    ${takenFrom(sql, address)},
    changes as (
      select point_type, received as points from account
      union all
      select point_type, -points from own_reversals
      union all
      select point_type, -points from taken where status = 'FINALIZED'
      union all
      select point_type, -points from credits_above
    ),
    top as materialized (
      select coalesce(sum(points) filter (where point_type = 'PHASE2_POINTS'), 0) as points,
        coalesce(sum(points) filter (where point_type = 'PHASE2_GOLD'), 0) as gold,
        (select count(*) from newer) <= ${COUNT_MAX}
          and (select count(*) from taken) <= ${COUNT_MAX} as is_known
      from changes
    ),
    described as materialized (
      select d.*,
        case when d.is_reversal then -d.points else d.points end as moved,
        d.status = 'FINALIZED' as is_final
      from (${withBatches(sql, "page")}) as d
    ),
    shown as (
      select d.*,
        top.is_known,
        top.points - coalesce(
          sum(d.moved) filter (where d.is_final and d."pointType" = 'PHASE2_POINTS') over newest_first, 0
        ) as running_points,
        top.gold - coalesce(
          sum(d.moved) filter (where d.is_final and d."pointType" = 'PHASE2_GOLD') over newest_first, 0
        ) as running_gold
      from top cross join described d
      window newest_first as (
        order by d.created_at desc, d.batch_seq desc
        rows between unbounded preceding and 1 preceding
      )
    )
    select r.is_whole, r.indexed_until, now() as now, s.* from reach r left join shown s on true
    order by s.created_at desc, s.batch_seq desc`;
  return { rows: withoutEmpty(rows), state: rows[0]!, searchedTo: null };
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

/** Only `readRows` reads running sums. */
const runningOf = (row: PageRow | RunningRow): ReceivedTransfer["running"] =>
  row.is_whole && "is_known" in row && row.is_known
    ? { PHASE2_POINTS: shortestPoints(row.running_points), PHASE2_GOLD: shortestPoints(row.running_gold) }
    : null;

type SumRow = FilteredPoints & { point_type: PointType; is_whole: boolean };

/** Sums of the newest 10,000 transfers to an address that match the filters, exact if there are no more. */
export async function sumReceived(
  { db: { sql } }: ServiceContext,
  filters: ReceivedFilters,
): Promise<ReceivedSums> {
  const address = addressToBytes(filters.address);
  const rows = await sql<SumRow[]>`
    with ${unindexedTransfers(sql, address)},
    newest as materialized (
      ${newestTransfers(sql, address, withinTime(sql, filters), COUNT_MAX + 1)}
    ),
    described as materialized (${withBatches(sql, "newest", filters)}),
    summed as materialized (
      select "pointType" as point_type,
        count(*) filter (where not is_reversal)::int as transfers,
        sum(points) filter (where not is_reversal and status = 'FINALIZED') as credited,
        sum(points) filter (
          where not is_reversal and "heldAt" is null and status in ('PENDING', 'FINALIZING')
        ) as pending,
        sum(points) filter (where not is_reversal and "heldAt" is not null) as held,
        sum(points) filter (where not is_reversal and status = 'CANCELLED') as cancelled,
        sum(points) filter (where is_reversal and status = 'FINALIZED') as "takenBack",
        sum(points) filter (where is_reversal and status in ('PENDING', 'FINALIZING')) as "takingBack"
      from described
      where matches
      group by "pointType"
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
    isWhole: rows[0]!.is_whole,
  };
}

const toFiltered = ({ point_type: _, is_whole: __, ...sums }: SumRow): FilteredPoints =>
  withPoints(sums, "credited", "pending", "held", "cancelled", "takenBack", "takingBack");
