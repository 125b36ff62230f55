import type { Fragment } from "postgres";
import type { Database } from "@/db/client";
import { transfersHash } from "@/server/batches/submit/digest";
import { addressFromBytes } from "@/server/kernel/address-bytes";
import { isDistributed } from "@/server/kernel/shards";
import { packTransfers, type Transfer, unpacked } from "@/server/ledger/packed-transfers";
import type { PointType } from "@/terms/batch-terms";
import type { Repeat } from "@/terms/findings";

const REPEATS_MAX = 5;
/** Transfers that occur together more often than this are not searched to the end. */
export const SAME_TRANSFERS_MAX = 1000;
/** The most rows of the recipient index that one batch's recipients are searched in, together. */
const READ_MAX = 500_000;
const LATEST_MAX = 1000;
/** Batches that share most transfers, before their age and status are known. */
const OVERLAPS_MAX = 50;
/** How long a finalized batch is compared row by row. A day would report payouts that are made daily. */
const RECENT = "20 hours";

export interface Content {
  contract: Buffer;
  pointType: PointType;
  transfers: readonly Omit<Transfer, "reference">[];
  /** Only batches created before it count. */
  createdAt: string;
  seq: string;
  /** The cancelled batch that it corrects is always among those found. */
  corrects: string | null;
}

/** What pays the same, undone ones last, then unfinished and recent ones that share most, newest first. */
export async function findRepeats(db: Pick<Database, "sql">, content: Content): Promise<Repeat[]> {
  const [same, overlapping] = await Promise.all([findSame(db, content), findOverlapping(db, content)]);
  const found = new Set(same.map(({ id }) => id));
  const isUndone = ({ cancelledBy }: Repeat) => cancelledBy !== null;
  const sorted = same.toSorted((one, other) => Number(isUndone(one)) - Number(isUndone(other)));
  return [...sorted, ...overlapping.filter(({ id }) => !found.has(id))].slice(0, REPEATS_MAX);
}

function findSame({ sql }: Pick<Database, "sql">, content: Content): Promise<Repeat[]> {
  const { contract, transfers } = content;
  const earlier = sql`contract_address = ${contract} and point_type = ${content.pointType}::point_type
        and reverses_seq is null and seq < ${content.seq}::bigint`;
  return sql<Repeat[]>`
    with hashed as materialized (
      select seq from batches
      where transfers_hash = ${transfersHash({ transfers })} and ${earlier}
      limit ${SAME_TRANSFERS_MAX}
    )
    select b.id, b.status, coalesce(b.cancel_reason, r.reason) as "cancelReason",
      coalesce(b.cancelled_by, r.by) as "cancelledBy"
    from batches b
      left join lateral (
        select (array_agg(submitted_by order by seq desc))[1] as by,
          (array_agg(reversal_reason order by seq desc))[1] as reason
        from batches
        where contract_address = ${contract} and reverses_seq = b.seq and status = 'FINALIZED'
        having sum(points) = b.points
      ) r on true
    where b.contract_address = ${contract} and b.seq in (select seq from hashed)
    order by b.id is not distinct from ${content.corrects}::text desc,
      coalesce(b.cancelled_by, r.by) is not null, b.seq desc
    limit ${REPEATS_MAX}`;
}

/** One list may have been sent by another contract, and still be. One transfer to one wallet often is. */
export async function findElsewhere({ sql }: Pick<Database, "sql">, content: Content): Promise<Repeat[]> {
  const { contract, pointType, transfers } = content;
  if (transfers.length < 2) return [];
  const rows = await sql<(Repeat & { address: Buffer })[]>`
    with hashed as materialized (
      select contract_address, seq, id, status, point_type, points from batches
      where transfers_hash = ${transfersHash({ transfers })} limit ${SAME_TRANSFERS_MAX}
    ), taken_back as materialized (
      select r.contract_address, r.reverses_seq
      from hashed h join batches r on r.contract_address = h.contract_address and r.reverses_seq = h.seq
      where r.status = 'FINALIZED' group by 1, 2, h.points having sum(r.points) = h.points
    )
    select h.id, h.status, c.label as "contractLabel", c.address
    from hashed h join contracts c on c.address = h.contract_address
    where h.contract_address <> ${contract} and h.point_type = ${pointType}::point_type
      and h.status <> 'CANCELLED'
      and (h.contract_address, h.seq) not in (select contract_address, reverses_seq from taken_back) limit 1`;
  return rows.map(({ address, ...repeat }) => ({ ...repeat, contractAddress: addressFromBytes(address) }));
}

/** Found by the recipient index, which lags by a few seconds at most. */
async function findOverlapping(db: Pick<Database, "sql">, content: Content): Promise<Repeat[]> {
  const { sql } = db;
  const { contract, transfers, createdAt, seq } = content;
  if (transfers.length < 2) return [];
  const latestMax = Math.min(LATEST_MAX, Math.floor(READ_MAX / transfers.length));
  const before = sql`(r.created_at, r.batch_seq) < (${createdAt}::timestamptz, ${seq}::bigint)`;
  const { from } = await paidBefore(db, sql`paid as d`, before, latestMax);
  const counted = await sql<{ seq: string; shared: number }[]>`
    with ${paidBy(sql, transfers)}
    select r.batch_seq as seq, count(*)::int as shared from ${from}
    where r.contract_address = ${contract} and r.points = d.points
    group by r.batch_seq having count(*) > 1 order by count(*) desc, r.batch_seq desc limit ${OVERLAPS_MAX}`;
  if (counted.length === 0) return [];
  return await sql<Repeat[]>`
    select id, status, shared, transfer_count as "transferCount"
    from unnest(${counted.map((one) => one.seq)}::bigint[], ${counted.map((one) => one.shared)}::int[])
        as counted (batch_seq, shared)
      join batches b on b.seq = counted.batch_seq
    where b.contract_address = ${contract}
      and b.point_type = ${content.pointType}::point_type
      and b.reverses_seq is null
      and 2 * shared > least(b.transfer_count, ${transfers.length}::int)
      and ${isUnfinishedOrRecent(sql, sql`least(${createdAt}::timestamptz, now())`)}
    order by seq desc limit ${REPEATS_MAX}`;
}

/** CTEs that end in `paid`, with the `to_address` and `points` of each transfer. */
function paidBy(sql: Database["sql"], transfers: readonly Transfer[]) {
  const { addresses, points } = packTransfers(transfers);
  return sql`
    packed as materialized (
      select ${addresses}::text::bytea as addresses, ${points}::text::numeric(38,12)[] as points
    ), paid as materialized (${unpacked(sql, "packed", "1")})`;
}

/**
 * For a FROM: rows `d`, each with the latest transfers `r` to its `to_address` before its batch. Citus has no
 * LIMIT in a LATERAL over two distributions, so it reads all transfers of a wallet. In an object: a promise
 * would run a fragment.
 */
export async function paidBefore(
  db: Pick<Database, "sql">,
  rows: Fragment,
  before: Fragment,
  most: number,
): Promise<{ from: Fragment }> {
  const { sql } = db;
  if (await isDistributed(db))
    return { from: sql`${rows} join recipient_transfers r on r.to_address = d.to_address and ${before}` };
  return {
    from: sql`${rows} cross join lateral (
        select r.batch_seq, r.contract_address, r.points from recipient_transfers r
        where r.to_address = d.to_address and ${before}
        order by r.created_at desc, r.batch_seq desc limit ${most}) as r`,
  };
}

/** Whether an earlier batch `b` is still to be paid, or was submitted shortly before. */
export const isUnfinishedOrRecent = (sql: Database["sql"], createdAt: Fragment): Fragment => sql`
  (b.status in ('PENDING', 'FINALIZING')
    or b.status = 'FINALIZED' and b.created_at > ${createdAt} - ${RECENT}::text::interval)`;

/**
 * For a WITH: `known`, the `key` of each row `d` whose `to_address` is in an earlier batch of the contract
 * that is not cancelled, among its latest `most`. One that many others have paid since counts as new.
 */
export async function knownBefore(
  db: Pick<Database, "sql">,
  rows: Fragment,
  key: Fragment,
  { contract, createdAt, seq }: Omit<Place, "pointType">,
  most: number,
): Promise<{ known: Fragment }> {
  const { sql } = db;
  const before = sql`(r.created_at, r.batch_seq) < (${createdAt}::timestamptz, ${seq}::bigint)`;
  if (await isDistributed(db)) {
    const { from } = await paidBefore(db, rows, before, most);
    const known = sql`
      earlier as materialized (
        select distinct ${key}, r.contract_address, r.batch_seq
        from ${from} where r.contract_address = ${contract}
      ), known as materialized (
        select distinct ${key} from earlier d
          join batches b on b.contract_address = d.contract_address and b.seq = d.batch_seq
        where b.status <> 'CANCELLED'
      )`;
    return { known };
  }
  // A scalar subquery is never joined, so each batch is looked up by its key until one counts.
  const known = sql`
    known as materialized (
      select ${key} from ${rows} where exists (
        select 1 from (
          select r.contract_address, r.batch_seq from recipient_transfers r
          where r.to_address = d.to_address and ${before}
          order by r.created_at desc, r.batch_seq desc limit ${most}::int
        ) as latest
        where latest.contract_address = ${contract} and 'CANCELLED' <> (
          select b.status from batches b
          where b.contract_address = latest.contract_address and b.seq = latest.batch_seq))
    )`;
  return { known };
}

export async function countNewRecipients(
  db: Pick<Database, "sql">,
  { transfers, ...place }: Pick<Content, "contract" | "transfers" | "createdAt" | "seq">,
): Promise<number> {
  const { sql } = db;
  const most = Math.floor(READ_MAX / transfers.length);
  const { known } = await knownBefore(db, sql`paid as d`, sql`d.to_address`, place, most);
  const [row] = await sql<{ known: number }[]>`
    with ${paidBy(sql, transfers)}, ${known} select count(*)::int as known from known`;
  return transfers.length - row!.known;
}

/** Number of earlier finalized batches of the same contract and point type to compare with. */
const EARLIER_MAX = 50;
const EARLIER_READ_MAX = 500;
/** Ages before the batch that are read one after another until there are enough. The last range is open. */
const AGES = ["0", "1 hour", "1 day", "7 days"] as const;

/** What the earlier batches are of: the values of a batch, or `columnsOf` rows. */
type Place = Record<"contract" | "pointType" | "createdAt" | "seq", string | Buffer | Fragment>;

/** @param rows the alias of rows that have them */
export const columnsOf = ({ sql }: Pick<Database, "sql">, rows: string): Place => ({
  contract: sql`${sql(rows)}.contract_address`,
  pointType: sql`${sql(rows)}.point_type`,
  createdAt: sql`${sql(rows)}.created_at`,
  seq: sql`${sql(rows)}.seq`,
});

/**
 * A select of the newest payments that were already finalized when a batch was submitted: `seq`, `points`,
 * `transfer_count`. Each branch is a bounded range of `batches_by_type_contract_status`, and the limit ends
 * the reading. One long range would read everything finalized since the submit first, which is a lot after a
 * long wait.
 * @param pinned the routing condition on `contract_address`, if there is one
 */
export function earlierFinalized({ sql }: Pick<Database, "sql">, of: Place, pinned = sql``) {
  const createdAt = sql`${of.createdAt}::timestamptz`;
  const branches = AGES.map((age, at) => {
    const oldest = AGES[at + 1];
    return sql`${at > 0 ? sql`union all` : sql``} (
      select seq, points, transfer_count from (
        select seq, points, transfer_count, finalized_at from batches
        where contract_address = ${of.contract} ${pinned}
          and point_type = ${of.pointType}::point_type
          and status = 'FINALIZED'
          and reverses_seq is null
          and (created_at, seq) < (${createdAt}, ${of.seq}::bigint)
          and created_at <= ${createdAt} - ${age}::text::interval
          ${oldest ? sql`and created_at > ${createdAt} - ${oldest}::text::interval` : sql``}
        order by created_at desc, seq desc limit ${EARLIER_READ_MAX}
      ) as newest where finalized_at <= ${createdAt})`;
  });
  return sql`select seq, points, transfer_count from (${branches}) as earlier limit ${EARLIER_MAX}`;
}
