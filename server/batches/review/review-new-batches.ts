import { and, eq } from "drizzle-orm";
import type { Fragment } from "postgres";
import { type Database, within } from "@/db/client";
import { batches } from "@/db/schema/batches";
import { askFor } from "@/db/session-settings";
import { addressArray, addressFromBytes } from "@/server/kernel/address-bytes";
import { seqArray } from "@/server/kernel/batch-rows";
import { isDatabaseUnavailable, isStatementTimeout } from "@/server/kernel/database-errors";
import { log } from "@/server/kernel/log";
import { onShard, type ShardContracts, shardsOf, tryLock } from "@/server/kernel/shards";
import {
  isOdd,
  LARGE_SHARE_PERCENT,
  NEW_RECIPIENTS_HISTORY,
  startsAlert,
  UNUSUAL_TIMES,
} from "@/terms/findings";
import {
  columnsOf,
  earlierFinalized,
  isUnfinishedOrRecent,
  knownBefore,
  paidBefore,
  SAME_TRANSFERS_MAX,
} from "./find-repeats";
import { reviewAtSubmit } from "./review-batch";

/** Recipients sampled from a larger batch to see whether the share of new ones must be counted. */
const SAMPLED_MAX = 100;
/** A wallet's latest transfers that are searched for the contract. Beyond that, it is counted. */
const LATEST_MAX = 1000;
/** Sampled to see whether another batch has the same transfers. A larger batch may share a few unseen. */
const OVERLAP_SAMPLED_MAX = 20;
const OVERLAP_LATEST_MAX = 100;

/** A stored batch in the order of creation. Times are database text, sequence numbers digits. */
export type BatchPlace = { contractAddress: Buffer; seq: string; createdAt: string };

/**
 * The sequence numbers of batches that may have an unusual finding. They are few, and `review` then decides
 * about each. The conditions are bounds that a review with such a finding always exceeds: comparing every
 * batch in full would read all transfers of up to 50 earlier ones. A payout's total is estimated by each
 * of its batches, and the largest one's estimate is no less. Reversals have no findings.
 */
export async function findSuspects(db: Database, batches: readonly BatchPlace[]): Promise<Set<string>> {
  const screened: Screened[] = [];
  const contracts = asBytes(batches);
  const places = db.sql`
    select contract_address, now() as since from unnest(${contracts}::bytea[]) as c (contract_address)`;
  for (const shard of await shardsOf(db, places)) screened.push(...(await screen(db, batches, shard)));
  const suspects = new Set(screened.filter(({ isSuspect }) => isSuspect).map(({ seq }) => seq));
  const open = screened.filter((s) => !s.isSuspect && s.paysSeveral);
  const placesOf = (chosen: readonly Screened[]) => {
    const seqs = new Set(chosen.map(({ seq }) => seq));
    return batches.filter(({ seq }) => seqs.has(seq));
  };
  const samples = [
    await sampleNewRecipients(db, placesOf(open.filter((s) => s.hasHistory))),
    await sampleOverlaps(db, placesOf(open)),
  ];
  for (const { seq } of samples.flat()) suspects.add(seq);
  return suspects;
}

const asBytes = (batches: readonly BatchPlace[]) =>
  addressArray(batches.map(({ contractAddress }) => contractAddress));

interface Screened {
  seq: string;
  isSuspect: boolean;
  /** The contract has finalized enough batches for new recipients to be a finding. */
  hasHistory: boolean;
  paysSeveral: boolean;
}

// A batch's largest transfer is at least its mean, so earlier means are a bound that needs no transfers.
function screen(db: Database, batches: readonly BatchPlace[], shard: ShardContracts) {
  const { sql } = db;
  const pinned = (column: string) => onShard(db, shard, column);
  return sql<Screened[]>`
    with s as materialized (
      select b.contract_address, b.seq, b.created_at, b.point_type, b.status, b.points, b.transfer_count,
        b.transfers_hash, b.points * coalesce(p.part_count, 1) as total
      from unnest(${asBytes(batches)}::bytea[], ${seqArray(batches)}::text::bigint[])
          as given (contract_address, seq)
        join batches b on b.contract_address = given.contract_address and b.seq = given.seq
        ${pinned("b.contract_address")}
        left join payout_parts p on p.contract_address = b.contract_address and p.batch_seq = b.seq
        ${pinned("p.contract_address")}
      where b.reverses_seq is null
    )
    select s.seq, s.transfer_count > 1 as "paysSeveral",
      usual.count >= ${NEW_RECIPIENTS_HISTORY}::int as "hasHistory",
      coalesce(s.total >= ${UNUSUAL_TIMES}::int * usual.total, false)
      or (coalesce(s.points >= ${UNUSUAL_TIMES}::int * usual.mean, false)
        and ${UNUSUAL_TIMES}::int * usual.mean <= (
          select max(amount) from batch_transfers t, unnest(t.points) as amount
          where t.contract_address = s.contract_address and t.batch_seq = s.seq
            ${pinned("t.contract_address")}))
      or exists (
        select 1 from (
          select r.status from batches r
          where r.transfers_hash = s.transfers_hash and r.contract_address = s.contract_address
            and r.point_type = s.point_type and r.seq < s.seq
            ${pinned("r.contract_address")}
          limit ${SAME_TRANSFERS_MAX}
        ) as same where s.transfer_count > 1 or same.status = 'CANCELLED')
      or exists (
        select 1 from accounts a join contracts k on k.address = a.address ${pinned("k.address")}
        where a.address = s.contract_address and a.point_type = s.point_type and k.issuance = 'PREFUNDED'
          ${pinned("a.address")}
          and 200 * s.points >= ${2 * LARGE_SHARE_PERCENT - 1}::int * (
            a.earned + a.received - a.sent - a.pending
            + case s.status when 'CANCELLED' then 0 else s.points end))
      as "isSuspect"
    from s cross join lateral (
      select count(*)::int as count, percentile_disc(0.95) within group (order by points) as total,
        percentile_disc(0.95) within group (order by trunc(points / transfer_count, 12)) as mean
      from (${earlierFinalized(db, columnsOf(db, "s"), pinned("contract_address"))}) as earlier
    ) as usual`;
}

/** CTEs `given` and `sampled`: up to `most` transfers of each batch, drawn at random. */
function sampled({ sql }: Database, batches: readonly BatchPlace[], most: number) {
  // Apart from the join: Citus mixes up an unnest's columns when it joins a distributed table.
  return sql`
    given as materialized (
      select * from unnest(${asBytes(batches)}::bytea[], ${seqArray(batches)}::text::bigint[],
        ${`{${batches.map(({ createdAt }) => `"${createdAt}"`).join(",")}}`}::text::timestamptz[])
        as g (contract_address, seq, created_at)
    ), sampled as materialized (
      select t.contract_address, given.seq, given.created_at, position, t.points[1 + position] as points,
        substring(t.addresses from 1 + 20 * position for 20) as to_address
      from given
        join batch_transfers t on t.batch_seq = given.seq and t.contract_address = given.contract_address
        cross join lateral (
          select floor(
              (nth + random()) * cardinality(t.points) / least(cardinality(t.points), ${most}::int)
            )::int as position
          from generate_series(0, least(cardinality(t.points), ${most}::int) - 1) as nth
        ) as positions
    )`;
}

/** Batches of which a quarter or more of the sampled recipients are new. */
async function sampleNewRecipients(db: Database, batches: readonly BatchPlace[]): Promise<{ seq: string }[]> {
  if (batches.length === 0) return [];
  const { sql } = db;
  const key = sql`d.seq, d.position`;
  const { known } = await knownBefore(db, sql`sampled as d`, key, columnsOf(db, "d"), LATEST_MAX);
  return await sql<{ seq: string }[]>`
    with ${sampled(db, batches, SAMPLED_MAX)}, ${known}
    select d.seq from sampled d left join known k on k.seq = d.seq and k.position = d.position
    group by d.seq having 4 * count(*) filter (where k.seq is null) >= count(*)`;
}

/** Batches of which an unfinished or recent batch has several of the sampled transfers. */
async function sampleOverlaps(db: Database, batches: readonly BatchPlace[]): Promise<{ seq: string }[]> {
  if (batches.length === 0) return [];
  const { sql } = db;
  const before = sql`(r.created_at, r.batch_seq) < (d.created_at, d.seq)`;
  const { from } = await paidBefore(db, sql`sampled as d`, before, OVERLAP_LATEST_MAX);
  return await sql<{ seq: string }[]>`
    with ${sampled(db, batches, OVERLAP_SAMPLED_MAX)}, shared as materialized (
      select d.contract_address, d.seq, d.created_at, r.batch_seq from ${from}
      where r.contract_address = d.contract_address and r.points = d.points
      group by d.contract_address, d.seq, d.created_at, r.batch_seq having count(*) > 1
    )
    select distinct s.seq
    from shared s join batches b on b.contract_address = s.contract_address and b.seq = s.batch_seq
    where ${isUnfinishedOrRecent(sql, sql`s.created_at`)}`;
}

/** Max batches per transaction, so that screening them does not delay due batches. */
const BATCHES_MAX = 100;
/** Batches per attempt. After a failure fewer are tried, until the one that cannot be reviewed is alone. */
const ATTEMPTS = [BATCHES_MAX, 10, 1] as const;
/** Time limit of each statement, because due batches wait while batches are reviewed. */
const STATEMENT_SECONDS_MAX = 2;
/** Keys of the advisory lock that allows one reviewer at a time, over all instances on the database. */
const REVIEW_LOCK = { space: 7_262_545, key: 1 } as const;

/** The next batches in line, whose totals are compared before their turn. A turn takes much longer. */
const AHEAD_MAX = 50_000;
/** Of these, reviewed at a time. */
const AHEAD_REVIEWED_MAX = 20;

/**
 * While more batches wait than one turn reviews: reviews those whose total alone is unusual, the most unusual
 * first, against what was usual when their contract's line began. Otherwise a batch that is due before its
 * turn would be paid with nobody warned. Its turn reviews it again, by an index that has caught up.
 */
async function reviewAhead(db: Database): Promise<void> {
  const { sql } = db;
  const [done] = await sql<{ at: string; seq: string }[]>`
    select coalesce(max(created_at)::text, '-infinity') as at, coalesce(max(batch_seq), 0)::text as seq
    from review_progress`;
  const inLine = sql`(created_at, seq) > (${done!.at}::text::timestamptz, ${done!.seq}::text::bigint)`;
  const waiting = sql`from batches where ${inLine} order by created_at, seq limit`;
  if ((await sql`select 1 ${waiting} ${BATCHES_MAX + 1}`).length <= BATCHES_MAX) return;
  const places = sql`select contract_address, created_at as since ${waiting} ${AHEAD_MAX}`;
  const large = [];
  for (const shard of await shardsOf(db, places)) large.push(...(await findLarge(db, inLine, shard)));
  large.sort((one, other) => other.times - one.times);
  for (const batch of large.slice(0, AHEAD_REVIEWED_MAX)) await reviewSuspect(db, batch);
}

/** Batches that can still be paid as they are. `times` only puts them in order. */
function findLarge(db: Database, inLine: Fragment, shard: ShardContracts) {
  const { sql } = db;
  const pinned = onShard(db, shard, "contract_address");
  return sql<{ contractAddress: Buffer; seq: string; times: number }[]>`
    with line as materialized (
      select contract_address, point_type, seq, created_at, points from batches
      where ${inLine} and status = 'PENDING' and held_at is null and not awaits_approval
        and reverses_seq is null ${pinned}
      order by created_at, seq limit ${AHEAD_MAX}
    ), groups as materialized (
      select contract_address, point_type, min(created_at) as created_at, 0 as seq from line group by 1, 2
    ), usual as materialized (
      select g.contract_address, g.point_type, earlier.total
      from groups g cross join lateral (
        select percentile_disc(0.95) within group (order by points) as total
        from (${earlierFinalized(db, columnsOf(db, "g"), pinned)}) as earlier
      ) as earlier
    )
    select l.contract_address as "contractAddress", l.seq::text, (l.points / u.total)::float8 as times
    from line l join usual u on u.contract_address = l.contract_address and u.point_type = l.point_type
      left join batch_reviews r on r.contract_address = l.contract_address and r.batch_seq = l.seq
        ${onShard(db, shard, "r.contract_address")}
    where l.points >= ${UNUSUAL_TIMES}::int * u.total and r.batch_seq is null
    order by times desc limit ${AHEAD_REVIEWED_MAX}`;
}

interface NewBatch extends BatchPlace {
  awaitsReview: boolean;
}

/**
 * Reviews the next batches that the recipient index has reached, in order of creation, and stores what is
 * unusual. Returns the number of batches; 0 when another caller is reviewing. A batch that fails alone, after
 * it failed among others, is skipped with a warning and keeps back no later one. Its page still compares it.
 * @param endsAt by `performance.now()`: from then on no batch but the first is compared in full
 */
export async function reviewNewBatches(db: Database, endsAt = Number.POSITIVE_INFINITY): Promise<number> {
  const [first] = await nextBatches(db, 1);
  if (!first) return 0;
  let failure: unknown;
  for (const most of ATTEMPTS) {
    try {
      return await reviewNext(db, most, endsAt);
    } catch (error) {
      if (isDatabaseUnavailable(error) && !isStatementTimeout(error)) throw error;
      failure = error;
    }
  }
  return await skip(db, first, failure);
}

/** The progress moves in the same transaction, so each batch is reviewed once, whatever its status. */
async function reviewNext(db: Database, most: number, endsAt: number): Promise<number> {
  return await db.sql.begin(async (tx) => {
    const on = within(db, tx);
    if (!(await tryLock(on.sql, REVIEW_LOCK))) return 0;
    await askFor(tx, { statement_timeout: STATEMENT_SECONDS_MAX * 1000 });
    const next = await nextBatches(on, most);
    if (next.length === 0) return 0;
    const suspects = await findSuspects(on, next);
    const needs = new Map<NewBatch, "UNUSUAL" | null>();
    let reviewed = 0;
    for (let compared = 0; reviewed < next.length; reviewed++) {
      const batch = next[reviewed]!;
      const isSuspect = suspects.has(batch.seq);
      if (isSuspect && compared > 0 && performance.now() >= endsAt) break;
      const isUnusual = isSuspect && (await reviewSuspect(on, batch));
      if (isSuspect) compared++;
      if (batch.awaitsReview) needs.set(batch, isUnusual ? "UNUSUAL" : null);
    }
    // Batches are locked in this order everywhere, and not all were created in it.
    const inOrder = [...needs].sort(([one], [other]) => Number(BigInt(one.seq) - BigInt(other.seq)));
    for (const [batch, need] of inOrder) await endWait(on, batch, need);
    await moveProgress(on, next[reviewed - 1]!);
    return reviewed;
  });
}

async function skip(db: Database, failed: BatchPlace, error: unknown): Promise<number> {
  return await db.sql.begin(async (tx) => {
    const on = within(db, tx);
    if (!(await tryLock(on.sql, REVIEW_LOCK))) return 0;
    // Unless another instance has reviewed it since.
    const [next] = await nextBatches(on, 1);
    if (next?.seq !== failed.seq) return 0;
    await moveProgress(on, failed);
    if (next.awaitsReview) await endWait(on, failed, "NOT_REVIEWED");
    const contractAddress = addressFromBytes(failed.contractAddress);
    log().warn({ error, contractAddress, seq: failed.seq }, "a new batch could not be reviewed");
    return 1;
  });
}

/** A batch that waited for its review is free, unless a person must approve it or somebody decided before. */
async function endWait(
  { sql }: Database,
  { contractAddress, seq }: BatchPlace,
  need: "UNUSUAL" | "NOT_REVIEWED" | null,
): Promise<void> {
  await sql`
    update batches set approval_need = ${need}, awaits_approval = ${need !== null}
    where contract_address = ${contractAddress} and seq = ${seq}::bigint
      and status = 'PENDING' and approval_need = 'REVIEW' and awaits_approval`;
}

async function moveProgress({ sql }: Database, { createdAt, seq }: BatchPlace): Promise<void> {
  await sql`
    insert into review_progress as p (singleton, created_at, batch_seq)
    values (true, ${createdAt}::timestamptz, ${seq}::bigint)
    on conflict (singleton) do update set created_at = excluded.created_at, batch_seq = excluded.batch_seq`;
}

/** Until no new batches are left or the time is up. A failure must not stop the finalizer. */
export async function catchUpReviews(db: Database, budgetSeconds: number): Promise<void> {
  const endsAt = performance.now() + budgetSeconds * 1000;
  await reviewAhead(db).catch((error) => log().warn({ error }, "large batches could not be reviewed first"));
  try {
    while ((await reviewNewBatches(db, endsAt)) > 0 && performance.now() < endsAt);
  } catch (error) {
    log().warn({ error, away: isDatabaseUnavailable(error) }, "reviewing new batches failed, retrying");
  }
}

/** Submits in flight are behind the recipient index, so the order is final up to it. */
const nextBatches = async ({ sql }: Database, most: number): Promise<NewBatch[]> =>
  await sql<NewBatch[]>`
    select contract_address as "contractAddress", seq::text, created_at::text as "createdAt",
      awaits_approval and approval_need = 'REVIEW' as "awaitsReview" from batches
    where (created_at, seq) > (
        select coalesce(max(created_at), '-infinity'), coalesce(max(batch_seq), 0) from review_progress)
      and (created_at, seq) <= (select created_at, batch_seq from recipient_progress)
    order by batches.created_at, batches.seq limit ${most}`;

/** Reviews one batch, and stores what it finds if something is unusual. @returns whether something is */
export async function reviewSuspect(
  db: Database,
  { contractAddress, seq }: Pick<BatchPlace, "contractAddress" | "seq">,
): Promise<boolean> {
  const [batch] = await db.orm
    .select()
    .from(batches)
    .where(and(eq(batches.contractAddress, contractAddress), eq(batches.seq, BigInt(seq))));
  const found = await reviewAtSubmit({ db }, batch!);
  if (!isOdd(found.level)) return false;
  const dueAt = startsAlert(found) ? batch!.finalizeAt.toISOString() : null;
  await db.sql`
    insert into batch_reviews (contract_address, batch_seq, created_at, level, findings, reviewed_at, due_at)
    values (${contractAddress}, ${seq}::bigint, ${batch!.createdAt.toISOString()}::timestamptz,
      ${found.level}, ${JSON.stringify(found)}::text::jsonb, now(), ${dueAt}::text::timestamptz)
    on conflict (contract_address, batch_seq) do update
      set level = excluded.level, findings = excluded.findings, due_at = excluded.due_at,
        reviewed_at = case when batch_reviews.level = excluded.level then batch_reviews.reviewed_at
          else excluded.reviewed_at end`;
  return true;
}
