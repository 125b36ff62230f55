import type { ServiceContext } from "../kernel/context";
import { type CursorPosition, decodeCursor, encodeCursor } from "../kernel/cursor";
import { addressKey } from "../kernel/values/address-text";
import { addressFromBytes, addressToBytes } from "../kernel/values/addresses";
import { toTimestamp } from "../kernel/values/batch-rows";
import { shortestPoints } from "../kernel/values/points";
import { DomainError } from "../kernel/values/problems";
import type { ListReceivedInput, ReceivedPage, ReceivedTransfer } from "./console-schema";
import { freshTransfers } from "./fresh-transfers";
import { withBatches } from "./with-batches";

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
}

interface ReceivedRow extends TransferRow {
  is_whole: boolean;
  indexed_until: string;
  now: string;
  batch_seq: string;
  running_points: string;
  running_gold: string;
}

/**
 * One page of transfers to an address over all contracts, newest first, with running sums of finalized credits.
 * @throws DomainError `invalid_cursor`, `cursor_mismatch`
 */
export async function listReceived(ctx: ServiceContext, input: ListReceivedInput): Promise<ReceivedPage> {
  const scope = `received=${addressKey(input.address)}`;
  const limit = input.limit ?? LIMIT_DEFAULT;
  const after = typeof input.cursor === "string" ? readCursor(input.cursor, scope) : null;
  const rows = await readRows(ctx, addressToBytes(input.address), after, limit + 1);
  const { is_whole, indexed_until, now } = rows[0]!;
  const page = rows.filter(({ id }) => id !== null).slice(0, limit);
  const last = page.at(-1);
  return {
    transfers: page.map((row) => ({ ...toTransfer(row), running: runningOf(row) })),
    cursor:
      rows.length > limit && last
        ? encodeCursor({ atMs: Date.parse(last.created_at), seq: BigInt(last.batch_seq) }, scope)
        : null,
    indexedUntil: is_whole ? null : toTimestamp(indexed_until),
    now: toTimestamp(now),
  };
}

/**
 * Running sums start from the account's total, minus the credits above the page. So the first page, which is nearly all
 * that is read, needs no other rows. Everything is read in one snapshot, so the sums are exact.
 */
function readRows(ctx: ServiceContext, address: Buffer, after: CursorPosition | null, limit: number) {
  const { sql } = ctx.db;
  const position =
    after && sql`(${new Date(after.atMs).toISOString()}::timestamptz, ${after.seq.toString()}::bigint)`;
  const below = position ? sql`(created_at, batch_seq) < ${position}` : sql`true`;
  const above = position ? sql`(created_at, batch_seq) >= ${position}` : sql`false`;
  return sql<ReceivedRow[]>`
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
      select b.point_type, n.points from newer n cross join lateral (
        select point_type from batches
        where contract_address = n.contract_address and seq = n.batch_seq and status = 'FINALIZED'
        group by contract_address, seq
      ) b
    ), account as materialized (
      select point_type, received from accounts where address = ${address}
    ), changes as (
      select point_type, received as points from account
      union all
      select point_type, -points from credits_above
    ), top as materialized (
      select coalesce(sum(points) filter (where point_type = 'PHASE2_POINTS'), 0) as points,
        coalesce(sum(points) filter (where point_type = 'PHASE2_GOLD'), 0) as gold from changes
    ), described as materialized (${withBatches(sql, "page")}
    ), shown as (
      select d.*,
        top.points - coalesce(sum(d.points) filter (where d.status = 'FINALIZED' and d.point_type = 'PHASE2_POINTS')
          over newest_first, 0) as running_points,
        top.gold - coalesce(sum(d.points) filter (where d.status = 'FINALIZED' and d.point_type = 'PHASE2_GOLD')
          over newest_first, 0) as running_gold
      from top cross join described d
      window newest_first as (order by d.created_at desc, d.batch_seq desc rows between unbounded preceding and 1 preceding)
    )
    select r.is_whole, r.indexed_until, now() as now, s.* from reach r left join shown s on true
    order by s.created_at desc, s.batch_seq desc`;
}

export function toTransfer(row: TransferRow): Omit<ReceivedTransfer, "running"> {
  return {
    contractAddress: addressFromBytes(row.contract_address),
    contractLabel: row.label ?? "",
    batchId: row.id!,
    pointType: row.point_type,
    status: row.status,
    points: shortestPoints(row.points),
    createdAt: toTimestamp(row.created_at),
    finalizeAt: toTimestamp(row.finalize_at),
    heldAt: row.status === "PENDING" && row.held_at ? toTimestamp(row.held_at) : null,
  };
}

const runningOf = (row: ReceivedRow): ReceivedTransfer["running"] =>
  row.is_whole
    ? { PHASE2_POINTS: shortestPoints(row.running_points), PHASE2_GOLD: shortestPoints(row.running_gold) }
    : null;

function readCursor(cursor: string, scope: string): CursorPosition {
  const position = decodeCursor(cursor, scope);
  if (position === "invalid")
    throw new DomainError("invalid_cursor", "The cursor is truncated or was modified.");
  if (position === "mismatch")
    throw new DomainError("cursor_mismatch", "The cursor was issued for a different address.");
  return position;
}
