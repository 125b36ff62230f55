import { randomBytes } from "node:crypto";
import type { Fragment } from "postgres";
import type { Database } from "@/db/client";
import { groupByShard, isDistributed, onShard, type ShardContracts, shardsOf } from "@/server/kernel/shards";
import type { BatchOut } from "@/terms/batch-schema";
import type { Metadata, TEST_EVENT, WebhookEvent } from "@/terms/batch-terms";

/** Longer than an attempt may take. After this, another worker takes over from one that died. */
const LEASE_SECONDS = 30;
/** Max concurrent deliveries per endpoint, so that a slow endpoint cannot use all slots. */
export const PER_ENDPOINT_MAX = 4;
export const CLAIM_MAX = 16;
/** Due deliveries checked before going endpoint by endpoint: all may belong to blocked ones. */
export const DUE_CHECKED_MAX = 200;
/** Endpoints checked then: the first ones, and more from a random position, so that each gets its turn. */
const ENDPOINTS_LOOKED_AT = 1000;
/** Due deliveries, or endpoints that have some, read to find their shards. */
const SHARDS_READ_MAX = 500;

export interface ClaimedDelivery {
  contract_address: Buffer;
  id: string;
  endpoint_id: string;
  event: WebhookEvent | typeof TEST_EVENT;
  event_at: string;
  attempts: number;
  url: string;
  secret_sealed: Buffer;
  /** Null when there is none, or when it has expired. */
  previous_secret_sealed: Buffer | null;
  /** By the database's clock. */
  now: string;
  batch: ClaimedBatch | null;
}

/** Amounts are text, because JSON numbers would become floats. */
type ClaimedBatch = Pick<
  BatchOut,
  "id" | "pointType" | "points" | "transferCount" | "createdAt" | "finalizeAt"
> & {
  digest: string;
  reverses: string | null;
  payoutId: string | null;
  metadata: Metadata | null;
};

/**
 * Claims due deliveries under a lease, longest due first. Safe for any number of workers: it skips rows that
 * another worker has locked or just claimed. Deliveries of disabled or paused endpoints stay in place. When
 * nothing is due, it costs one index lookup. When the first due deliveries are blocked, it costs one lookup
 * for each endpoint that has deliveries waiting.
 */
export async function claimDeliveries(db: Database, claim: Claim): Promise<ClaimedDelivery[]> {
  const look = await shardsWithDue(db);
  const claimed = await claimOnShards(db, claim, look.shards);
  const left = claim.count - claimed.length;
  if (left === 0 || look.isWhole) return claimed;
  const rest = { ...claim, count: left, taken: [...claim.taken, ...endpointsOf(claimed)] };
  const behind = await claimOnShards(db, rest, await shardsWithOpen(db));
  return [...claimed, ...behind];
}

interface Claim {
  claimId: string;
  /** At most `CLAIM_MAX`. */
  count: number;
  /** The endpoint of each slot that this process already uses. */
  taken: readonly string[];
}

const endpointsOf = (claimed: readonly ClaimedDelivery[]) => claimed.map(({ endpoint_id }) => endpoint_id);

/** Each shard gets an equal share of the slots, so that none starves the others, and what others leave. */
async function claimOnShards(
  db: Database,
  claim: Claim,
  shards: readonly ShardContracts[],
): Promise<ClaimedDelivery[]> {
  const claimed: ClaimedDelivery[] = [];
  for (let remaining = shards; remaining.length > 0 && claimed.length < claim.count; ) {
    const full: ShardContracts[] = [];
    for (const [place, contracts] of remaining.entries()) {
      const count = Math.ceil((claim.count - claimed.length) / (remaining.length - place));
      if (count === 0) break;
      const taken = [...claim.taken, ...endpointsOf(claimed)];
      const found = await claimOnShard(db, { ...claim, count, taken }, contracts);
      claimed.push(...found);
      if (found.length === count) full.push(contracts);
    }
    remaining = full;
  }
  return claimed;
}

/** The first due deliveries' contracts by shard. `isWhole`: none are hidden behind blocked endpoints. */
async function shardsWithDue(db: Database): Promise<{ shards: ShardContracts[]; isWhole: boolean }> {
  if (!(await isDistributed(db))) return { shards: [null], isWhole: true };
  const found = await groupByShard(
    db,
    db.sql`select contract_address, next_attempt_at as since from webhook_deliveries
      where next_attempt_at > '-infinity' and next_attempt_at <= now()
      order by since limit ${SHARDS_READ_MAX}`,
  );
  const rows = found.reduce((sum, shard) => sum + shard.rows, 0);
  return { shards: found.map(({ contracts }) => contracts), isWhole: rows < SHARDS_READ_MAX };
}

/** Contracts of open endpoints with a due delivery, by shard. Reads only each endpoint's first delivery. */
const shardsWithOpen = (db: Database) =>
  shardsOf(
    db,
    db.sql`select contract_address, since from (
        select e.contract_address, (select min(w.next_attempt_at) from webhook_deliveries w
          where w.contract_address = e.contract_address and w.endpoint_id = e.id
            and w.next_attempt_at is not null) as since
        from webhook_endpoints e where ${isOpen(db)}) as firsts
      where since <= now() order by since limit ${SHARDS_READ_MAX}`,
  );

/** Whether endpoint `e` is neither disabled nor paused. */
const isOpen = ({ sql }: Database) => sql`e.disabled_at is null and coalesce(e.paused_until <= now(), true)`;

/** The shard that a statement is routed to, and its bounds. */
interface Scope extends Claim {
  db: Database;
  on: (column: string) => Fragment;
}

function claimOnShard(db: Database, claim: Claim, contracts: ShardContracts): PromiseLike<ClaimedDelivery[]> {
  const on = (column: string) => onShard(db, contracts, column);
  const scope: Scope = { ...claim, db, on };
  return db.sql<ClaimedDelivery[]>`
    with recursive ${due(scope)},
    ${fair(scope)},
    ${claimed(scope)}
    select c.contract_address, c.id, c.endpoint_id, c.event, c.event_at, c.attempts, c.url, c.secret_sealed,
      c.previous_secret_sealed, now() as now,
      case when b.seq is not null then jsonb_build_object(
        'id', b.id,
        'pointType', b.point_type,
        'points', b.points::text,
        'transferCount', b.transfer_count,
        'digest', encode(b.digest, 'hex'),
        'createdAt', b.created_at,
        'finalizeAt', b.finalize_at,
        'reverses', o.id,
        'payoutId', (select p.payout_id from payout_parts p
          where p.contract_address = b.contract_address and p.batch_seq = b.seq ${on("p.contract_address")}),
        'metadata', (select jsonb_object_agg(m.key, m.value) from batch_metadata m
          where m.contract_address = b.contract_address and m.batch_seq = b.seq ${on("m.contract_address")})
      ) end as batch
    from claimed c
      left join batches b on b.contract_address = c.contract_address and b.seq = c.batch_seq
        ${on("b.contract_address")}
      left join batches o on o.contract_address = c.contract_address and o.seq = b.reverses_seq
        ${on("o.contract_address")}`;
}

// Limits are inlined: without them a generic plan reads whole tables. The odd conditions below ('-infinity',
// "is true") leave each part only one usable index, because with stale statistics the others look as good.
const inlined = ({ sql }: Database, bound: number) => sql.unsafe(String(bound));

/** `first`: of those due longest, the ones whose endpoints are open and have places left. */
const due = ({ db, on, taken, count }: Scope) => db.sql`
    taken as materialized (
      select endpoint_id, count(*) as places
      from unnest(${`{${taken.join(",")}}`}::text::uuid[]) as t (endpoint_id) group by endpoint_id
    ), due as materialized (
      select contract_address, id, endpoint_id, next_attempt_at from webhook_deliveries
      where next_attempt_at > '-infinity' and next_attempt_at <= now() ${on("contract_address")}
      order by next_attempt_at limit ${inlined(db, DUE_CHECKED_MAX)}
    ), first as materialized (
      select d.contract_address, d.id
      from (
        select *, row_number() over (partition by endpoint_id order by next_attempt_at) as place from due
      ) d left join taken t on t.endpoint_id = d.endpoint_id cross join lateral (
        select 1 from webhook_endpoints e
        where e.contract_address = d.contract_address and e.id = d.endpoint_id and ${isOpen(db)}
          ${on("e.contract_address")}
        limit 1
      ) e
      where d.place + coalesce(t.places, 0) <= ${PER_ENDPOINT_MAX}
      order by d.next_attempt_at limit ${count}
    )`;

/**
 * `candidates`: the `first` ones, unless blocked endpoints may hide others behind theirs. Then it goes from
 * endpoint to endpoint, and from a random one on, and takes what is due at each.
 */
const fair = ({ db, on, count }: Scope) => db.sql`
    further as materialized (
      select (select count(*) from due) = ${inlined(db, DUE_CHECKED_MAX)}
        and (select count(*) from first) < ${count} as is_asked
    ), endpoints as (
      ((select contract_address, endpoint_id from webhook_deliveries
      where next_attempt_at is not null and (select is_asked from further) ${on("contract_address")}
      order by contract_address, endpoint_id limit 1)
      union all
      (select contract_address, endpoint_id from webhook_deliveries
      where next_attempt_at is not null and (select is_asked from further)
        and contract_address >= ${randomBytes(20)} ${on("contract_address")}
      order by contract_address, endpoint_id limit 1))
      union
      select n.contract_address, n.endpoint_id from endpoints o cross join lateral (
        select w.contract_address, w.endpoint_id from webhook_deliveries w
        where (w.contract_address, w.endpoint_id) > (o.contract_address, o.endpoint_id)
          and w.next_attempt_at is not null ${on("w.contract_address")}
        order by w.contract_address, w.endpoint_id limit 1
      ) n
    ), candidates as materialized (
      select contract_address, id from first where not (select is_asked from further)
      union all
      (select d.contract_address, d.id
      from (select * from endpoints limit ${inlined(db, ENDPOINTS_LOOKED_AT)}) o
        left join taken t using (endpoint_id)
        cross join lateral (
          select e.contract_address, e.id from webhook_endpoints e
          where e.contract_address = o.contract_address and e.id = o.endpoint_id and ${isOpen(db)}
            ${on("e.contract_address")}
          limit 1
        ) e
        cross join lateral (
          select w.contract_address, w.id, w.next_attempt_at from webhook_deliveries w
          where w.contract_address = e.contract_address and w.endpoint_id = e.id
            and w.next_attempt_at is not null ${on("w.contract_address")}
          order by w.next_attempt_at limit greatest(${PER_ENDPOINT_MAX} - coalesce(t.places, 0), 0)
        ) d
      where d.next_attempt_at <= now()
      order by d.next_attempt_at limit ${count})
    )`;

const claimed = ({ db, on, claimId }: Scope) => db.sql`
    locked as materialized (
      select d.contract_address, d.id, e.url, e.secret_sealed,
        case when e.previous_secret_until > now() then e.previous_secret_sealed end as previous_secret_sealed
      from candidates c
        cross join lateral (
          select w.contract_address, w.id, w.endpoint_id from webhook_deliveries w
          where w.contract_address = c.contract_address and w.id = c.id
            and (w.next_attempt_at <= now()) is true ${on("w.contract_address")}
          limit 1 for update skip locked
        ) d
        cross join lateral (
          select e.* from webhook_endpoints e
          where e.contract_address = d.contract_address and e.id = d.endpoint_id ${on("e.contract_address")}
          limit 1
        ) e
      limit ${inlined(db, CLAIM_MAX)}
    ), claimed as (
      update webhook_deliveries d
      set claim_id = ${claimId}, attempts = d.attempts + 1, last_attempt_at = now(),
        next_attempt_at = now() + ${LEASE_SECONDS}::int * interval '1 second'
      from locked l
      where d.contract_address = l.contract_address and d.id = l.id ${on("d.contract_address")}
      returning d.contract_address, d.id, d.endpoint_id, d.event, d.event_at, d.attempts, d.batch_seq, l.url,
        l.secret_sealed, l.previous_secret_sealed
    )`;
