import type { Database } from "@/db/client";
import { isDistributed, onShard, type ShardContracts, shardsOf } from "../../kernel/shards/routing";
import { addressArray } from "../../kernel/values/addresses";
import { LARGE_SHARE_PERCENT, NEW_RECIPIENTS_HISTORY, UNUSUAL_TIMES } from "../list/findings";
import { earlierFinalized } from "./earlier-batches";
import { CANCELLED_MAX, SAME_DIGEST_MAX } from "./find-repeats";

/** Recipients sampled from a larger batch to see whether the share of new ones must be counted. */
const SAMPLED_MAX = 100;
/** A wallet's latest transfers that are searched for the contract. Beyond that, it is counted. */
const LATEST_MAX = 1000;

/** A stored batch in the order of creation. Times are database text, sequence numbers digits. */
export interface BatchPlace {
  contractAddress: Buffer;
  seq: string;
  createdAt: string;
}

/**
 * The sequence numbers of batches that may have an unusual finding. They are few, and `review` then decides about each. The
 * conditions are bounds that a review with such a finding always exceeds: comparing every batch in full would read all
 * transfers of up to 50 earlier ones. Reversals have no findings.
 */
export async function findSuspects(db: Database, batches: readonly BatchPlace[]): Promise<Set<string>> {
  const screened: Screened[] = [];
  const contracts = asBytes(batches);
  const places = db.sql`select contract_address, now() as since from unnest(${contracts}::bytea[]) as c (contract_address)`;
  for (const shard of await shardsOf(db, places)) screened.push(...(await screen(db, batches, shard)));
  const suspects = new Set(screened.filter(({ isSuspect }) => isSuspect).map(({ seq }) => seq));
  const open = new Set(
    screened.filter((s) => !s.isSuspect && s.paysSeveral && s.hasHistory).map((s) => s.seq),
  );
  const toSample = batches.filter(({ seq }) => open.has(seq));
  if (toSample.length > 0) for (const { seq } of await sampleNewRecipients(db, toSample)) suspects.add(seq);
  return suspects;
}

const asBytes = (batches: readonly BatchPlace[]) =>
  addressArray(batches.map(({ contractAddress }) => contractAddress));
const asNumbers = (batches: readonly BatchPlace[]) => `{${batches.map(({ seq }) => seq).join(",")}}`;

interface Screened {
  seq: string;
  isSuspect: boolean;
  /** The contract has finalized enough batches for new recipients to be a finding. */
  hasHistory: boolean;
  paysSeveral: boolean;
}

// A batch's largest transfer is at least its mean, so the means of earlier batches are a lower bound that needs no transfers.
function screen(db: Database, batches: readonly BatchPlace[], shard: ShardContracts) {
  const { sql } = db;
  const pinned = (column: string) => onShard(db, shard, column);
  const column = {
    contract: sql`s.contract_address`,
    pointType: sql`s.point_type`,
    createdAt: sql`s.created_at`,
    seq: sql`s.seq`,
  };
  return sql<Screened[]>`
    with s as materialized (
      select b.contract_address, b.seq, b.created_at, b.point_type, b.status, b.points, b.transfer_count, b.digest
      from unnest(${asBytes(batches)}::bytea[], ${asNumbers(batches)}::text::bigint[]) as given (contract_address, seq)
        join batches b on b.contract_address = given.contract_address and b.seq = given.seq
        ${pinned("b.contract_address")}
      where b.reverses_seq is null
    )
    select s.seq, s.transfer_count > 1 as "paysSeveral", usual.count >= ${NEW_RECIPIENTS_HISTORY}::int as "hasHistory",
      coalesce(s.points >= ${UNUSUAL_TIMES}::int * usual.total, false)
      or (coalesce(s.points >= ${UNUSUAL_TIMES}::int * usual.mean, false) and ${UNUSUAL_TIMES}::int * usual.mean <= (
        select max(amount) from batch_transfers t, unnest(t.points) as amount
        where t.contract_address = s.contract_address and t.batch_seq = s.seq ${pinned("t.contract_address")}))
      or exists (
        select 1 from (
          select r.status from batches r where r.digest = s.digest and r.contract_address = s.contract_address
            and r.seq < s.seq ${pinned("r.contract_address")} limit ${SAME_DIGEST_MAX}
        ) as same where s.transfer_count > 1 or same.status = 'CANCELLED')
      or exists (
        select 1 from (
          select c.points, c.transfer_count from batches c
          where c.contract_address = s.contract_address and c.point_type = s.point_type and c.status = 'CANCELLED'
            and c.reverses_seq is null
            and (c.created_at, c.seq) < (s.created_at, s.seq) ${pinned("c.contract_address")}
          order by c.created_at desc, c.seq desc limit ${CANCELLED_MAX}
        ) as cancelled where cancelled.points = s.points and cancelled.transfer_count = s.transfer_count)
      or exists (
        select 1 from accounts a join contracts k on k.address = a.address ${pinned("k.address")}
        where a.address = s.contract_address and a.point_type = s.point_type and k.issuance = 'PREFUNDED'
          ${pinned("a.address")}
          and 200 * s.points >= ${2 * LARGE_SHARE_PERCENT - 1}::int * (
            a.earned + a.received - a.sent - a.pending + case s.status when 'CANCELLED' then 0 else s.points end))
      as "isSuspect"
    from s cross join lateral (
      select count(*)::int as count, percentile_disc(0.95) within group (order by points) as total,
        percentile_disc(0.95) within group (order by trunc(points / transfer_count, 12)) as mean
      from (${earlierFinalized(db, column, pinned("contract_address"))}) as earlier
    ) as usual`;
}

/** Batches of which a quarter or more of the sampled recipients are new. The sample has up to `SAMPLED_MAX`. */
async function sampleNewRecipients(db: Database, batches: readonly BatchPlace[]) {
  const { sql } = db;
  // Apart from the join, because Citus mixes up the columns of an unnest that it joins with a distributed table.
  const sampled = sql`
    given as materialized (
      select * from unnest(${asBytes(batches)}::bytea[], ${asNumbers(batches)}::text::bigint[],
        ${`{${batches.map(({ createdAt }) => `"${createdAt}"`).join(",")}}`}::text::timestamptz[])
        as g (contract_address, seq, created_at)
    ), sampled as materialized (
      select t.contract_address, given.seq, given.created_at, position,
        substring(t.addresses from 1 + 20 * position for 20) as to_address
      from given
        join batch_transfers t on t.batch_seq = given.seq and t.contract_address = given.contract_address
        cross join lateral (
          select floor((nth + random()) * cardinality(t.points) / least(cardinality(t.points), ${SAMPLED_MAX}::int))::int as position
          from generate_series(0, least(cardinality(t.points), ${SAMPLED_MAX}::int) - 1) as nth
        ) as positions
    )`;
  // Citus has no LIMIT in a LATERAL over two distributions, so it reads all transfers of a wallet.
  const known = (await isDistributed(db))
    ? sql`select distinct d.seq, d.position from sampled d join recipient_transfers r on r.to_address = d.to_address
        where r.contract_address = d.contract_address and (r.created_at, r.batch_seq) < (d.created_at, d.seq)`
    : sql`select d.seq, d.position from sampled d where exists (
        select 1 from (
          select r.contract_address from recipient_transfers r
          where r.to_address = d.to_address and (r.created_at, r.batch_seq) < (d.created_at, d.seq)
          order by r.created_at desc, r.batch_seq desc limit ${LATEST_MAX}
        ) as latest where latest.contract_address = d.contract_address)`;
  return await sql<{ seq: string }[]>`
    with ${sampled}, known as materialized (${known})
    select d.seq from sampled d left join known k on k.seq = d.seq and k.position = d.position
    group by d.seq having 4 * count(*) filter (where k.seq is null) >= count(*)`;
}
