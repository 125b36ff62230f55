import type { ServiceContext } from "../kernel/context";
import { type CursorPosition, decodeCursor, encodeCursor } from "../kernel/cursor";
import { addressKey } from "../kernel/values/address-text";
import { addressFromBytes, addressToBytes } from "../kernel/values/addresses";
import { toTimestamp } from "../kernel/values/batch-rows";
import { shortestPoints } from "../kernel/values/points";
import { DomainError } from "../kernel/values/problems";
import type { ListReceivedInput, ReceivedFilters, ReceivedPage, ReceivedTransfer } from "./console-schema";
import { freshTransfers } from "./fresh-transfers";
import { type ReversalLinks, readReversalLinks } from "./reversal-links";
import { isFiltered, withBatches, withinTime } from "./with-batches";

const LIMIT_DEFAULT = 50;

/** A transfer with details of its batch. */
export interface TransferRow {
  created_at: string;
  contract_address: Buffer;
  label: string | null;
  /** Null in the only row of an empty page. */
  id: string | null;
  point_type: ReceivedTransfer["pointType"];
  status: ReceivedTransfer["status"];
  points: string;
  finalize_at: string;
  held_at: string | null;
  awaits_approval: boolean;
  held_by: string | null;
  hold_reason: string | null;
  finalized_at: string | null;
  cancelled_at: string | null;
  cancelled_by: string | null;
  cancel_reason: string | null;
  batch_seq: string;
  is_reversal: boolean;
}

interface PageRow extends TransferRow {
  is_whole: boolean;
  indexed_until: string;
  now: string;
}

interface RunningRow extends PageRow {
  running_points: string;
  running_gold: string;
}

/**
 * One page of transfers to an address over all contracts, newest first, with running sums of finalized credits, or those
 * that match the filters.
 * @throws DomainError `invalid_cursor`, `cursor_mismatch`
 */
export async function listReceived(ctx: ServiceContext, input: ListReceivedInput): Promise<ReceivedPage> {
  const { limit: given, cursor, ...filters } = input;
  const scope = scopeOf(filters);
  const limit = given ?? LIMIT_DEFAULT;
  const after = typeof cursor === "string" ? readCursor(cursor, scope) : null;
  const next = (at: Place) =>
    encodeCursor({ atMs: Date.parse(at.created_at), seq: BigInt(at.batch_seq) }, scope);

  if (!isFiltered(filters)) {
    const rows = await readRows(ctx, addressToBytes(input.address), after, limit + 1);
    const page = rows.filter(({ id }) => id !== null).slice(0, limit);
    const links = await readReversalLinks(ctx.db, addressToBytes(input.address), page);
    return {
      transfers: page.map((row) => ({ ...toTransfer(row, links), running: runningOf(row) })),
      cursor: rows.length > limit ? next(page.at(-1)!) : null,
      searchedTo: null,
      ...stateOf(rows[0]!),
    };
  }
  const { rows, first, searchedTo } = await search(ctx, filters, after, limit + 1);
  const page = rows.slice(0, limit);
  const links = await readReversalLinks(ctx.db, addressToBytes(input.address), page);
  const last = rows.length > limit ? page.at(-1)! : searchedTo;
  return {
    transfers: page.map((row) => ({ ...toTransfer(row, links), running: null })),
    cursor: last && next(last),
    searchedTo: searchedTo && toTimestamp(searchedTo.created_at),
    ...stateOf(first),
  };
}

const stateOf = ({ is_whole, indexed_until, now }: PageRow) => ({
  indexedUntil: is_whole ? null : toTimestamp(indexed_until),
  now: toTimestamp(now),
});

/** Max transfers that one page with filters searches, and that one statement reads. */
export const SEARCHED_MAX = 20_000;
const STEP_MAX = 5_000;
const STEP_GROWTH = 4;

/** A position in the index, newest first. */
interface Place {
  created_at: string;
  batch_seq: string;
}

interface SearchRow extends PageRow {
  /** Transfers that this step looked at. Null when there were none. */
  searched: number | null;
  edge_at: string;
  edge_seq: string;
}

/**
 * Walks an address's transfers in the order of the recipient index and looks up each batch by key, so that a wallet with
 * hundreds of thousands of batches costs no more than `SEARCHED_MAX` of them. `searchedTo` is where it stopped there; null
 * if it found enough rows or reached the end.
 */
async function search(
  ctx: ServiceContext,
  filters: ReceivedFilters,
  after: CursorPosition | null,
  rowsLeast: number,
): Promise<{ rows: PageRow[]; first: PageRow; searchedTo: Place | null }> {
  const rows: PageRow[] = [];
  let first: PageRow | undefined;
  let searched = 0;
  let edge: Place | null = after && {
    created_at: new Date(after.atMs).toISOString(),
    batch_seq: after.seq.toString(),
  };
  for (let step = rowsLeast; ; step = Math.min(step * STEP_GROWTH, STEP_MAX)) {
    const found: SearchRow[] = await readStep(ctx, filters, edge, step);
    const head = found[0]!;
    first ??= head;
    rows.push(...found.filter(({ id }) => id !== null));
    if (rows.length >= rowsLeast || (head.searched ?? 0) < step) return { rows, first, searchedTo: null };
    edge = { created_at: head.edge_at, batch_seq: head.edge_seq };
    searched += step;
    if (searched >= SEARCHED_MAX) return { rows, first, searchedTo: edge };
  }
}

/** The matching transfers among the next `rowsMost`, and always one row with the state of the index and the edge. */
function readStep(
  { db: { sql } }: ServiceContext,
  filters: ReceivedFilters,
  after: Place | null,
  rowsMost: number,
) {
  const within = withinTime(sql, filters);
  const below = after
    ? sql`(created_at, batch_seq) < (${after.created_at}::timestamptz, ${after.batch_seq}::bigint)`
    : sql`true`;
  const address = addressToBytes(filters.address);
  return sql<SearchRow[]>`
    with ${freshTransfers(sql, address)}, step as materialized (
      (select created_at, batch_seq, contract_address, points from recipient_transfers
        where to_address = ${address} and ${within} and ${below} order by created_at desc, batch_seq desc limit ${rowsMost})
      union all
      select created_at, batch_seq, contract_address, points from fresh where ${within} and ${below}
      order by created_at desc, batch_seq desc limit ${rowsMost}
    ), edge as materialized (
      select created_at as edge_at, batch_seq as edge_seq, (select count(*)::int from step) as searched from step
      order by created_at, batch_seq limit 1
    ), described as materialized (${withBatches(sql, "step", filters)}
    )
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
 * Running sums start from the account's total, without its own reversals and what was taken back from it, minus what is above
 * the page. So the first page, which is nearly all
 * that is read, needs no other rows. Everything is read in one snapshot, so the sums are exact.
 */
function readRows(ctx: ServiceContext, address: Buffer, after: CursorPosition | null, limit: number) {
  const { sql } = ctx.db;
  const position =
    after && sql`(${new Date(after.atMs).toISOString()}::timestamptz, ${after.seq.toString()}::bigint)`;
  const below = position ? sql`(created_at, batch_seq) < ${position}` : sql`true`;
  const above = position ? sql`(created_at, batch_seq) >= ${position}` : sql`false`;
  return sql<RunningRow[]>`
    with ${freshTransfers(sql, address)}, page as materialized (
      (select created_at, batch_seq, contract_address, points from recipient_transfers
        where to_address = ${address} and ${below} order by created_at desc, batch_seq desc limit ${limit})
      union all
      select created_at, batch_seq, contract_address, points from fresh where ${below}
      order by created_at desc, batch_seq desc limit ${limit}
    ), newer as materialized (
      select contract_address, batch_seq, points from recipient_transfers where to_address = ${address} and ${above}
      union all
      select contract_address, batch_seq, points from fresh where ${above}
    ), credits_above as materialized (
      select b.point_type, case when b.reverses_seq is null then n.points else -n.points end as points
      from newer n cross join lateral (
        select point_type, reverses_seq from batches
        where contract_address = n.contract_address and seq = n.batch_seq and status = 'FINALIZED'
        group by contract_address, seq
      ) b
    ), account as materialized (
      select point_type, received from accounts where address = ${address}
    ), own_reversals as materialized (
      select point_type, points from batches
      where contract_address = ${address} and reverses_seq is not null and status = 'FINALIZED'
    ), reversed as materialized (
      select b.point_type, r.points
      from reversed_transfers r join batches b on b.contract_address = r.contract_address and b.seq = r.reversal_seq
      where r.to_address = ${address} and b.status = 'FINALIZED'
    ), changes as (
      select point_type, received as points from account
      union all
      select point_type, -points from own_reversals
      union all
      select point_type, -points from reversed
      union all
      select point_type, -points from credits_above
    ), top as materialized (
      select coalesce(sum(points) filter (where point_type = 'PHASE2_POINTS'), 0) as points,
        coalesce(sum(points) filter (where point_type = 'PHASE2_GOLD'), 0) as gold from changes
    ), described as materialized (
      select d.*, case when d.is_reversal then -d.points else d.points end as moved from (${withBatches(sql, "page")}) as d
    ), shown as (
      select d.*,
        top.points - coalesce(sum(d.moved) filter (where d.status = 'FINALIZED' and d.point_type = 'PHASE2_POINTS')
          over newest_first, 0) as running_points,
        top.gold - coalesce(sum(d.moved) filter (where d.status = 'FINALIZED' and d.point_type = 'PHASE2_GOLD')
          over newest_first, 0) as running_gold
      from top cross join described d
      window newest_first as (order by d.created_at desc, d.batch_seq desc rows between unbounded preceding and 1 preceding)
    )
    select r.is_whole, r.indexed_until, now() as now, s.* from reach r left join shown s on true
    order by s.created_at desc, s.batch_seq desc`;
}

export function toTransfer(row: TransferRow, links: ReversalLinks): Omit<ReceivedTransfer, "running"> {
  return {
    contractAddress: addressFromBytes(row.contract_address),
    contractLabel: row.label ?? "",
    batchId: row.id!,
    pointType: row.point_type,
    status: row.status,
    points: shortestPoints(row.points),
    createdAt: toTimestamp(row.created_at),
    finalizeAt: toTimestamp(row.finalize_at),
    ...(row.status === "PENDING" && row.held_at
      ? { heldAt: toTimestamp(row.held_at), heldBy: row.held_by, holdReason: row.hold_reason }
      : { heldAt: null, heldBy: null, holdReason: null }),
    awaitsApproval: row.status === "PENDING" && row.awaits_approval,
    creditedAt: row.finalized_at && toTimestamp(row.finalized_at),
    cancelledAt: row.cancelled_at && toTimestamp(row.cancelled_at),
    cancelledBy: row.cancelled_by,
    cancelReason: row.cancel_reason,
    reverses: links.reverses.get(row.batch_seq) ?? null,
    reversedBy: links.reversedBy.get(row.batch_seq)?.id ?? null,
    takenBackAt: links.reversedBy.get(row.batch_seq)?.finalizedAt ?? null,
  };
}

const runningOf = (row: RunningRow): ReceivedTransfer["running"] =>
  row.is_whole
    ? { PHASE2_POINTS: shortestPoints(row.running_points), PHASE2_GOLD: shortestPoints(row.running_gold) }
    : null;

function readCursor(cursor: string, scope: string): CursorPosition {
  const position = decodeCursor(cursor, scope);
  if (position === "invalid")
    throw new DomainError("invalid_cursor", "The cursor is truncated or was modified.");
  if (position === "mismatch")
    throw new DomainError("cursor_mismatch", "The cursor was issued for a different address or filter.");
  return position;
}
