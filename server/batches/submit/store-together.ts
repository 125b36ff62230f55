import type { Database } from "@/db/client";
import { endOf, FAIL_LATE } from "@/db/errand";
import { baseOf, endingItself } from "@/db/on-errand";
import { addressArray, addressToBytes } from "@/server/kernel/address-bytes";
import { announce } from "@/server/kernel/announce";
import { crashPoint } from "@/server/kernel/process";
import { SUBMIT_LOCK_SPACE, submitLockKey } from "@/server/ledger/creation-order";
import { packTransfers } from "@/server/ledger/packed-transfers";
import type { ReadyBatch, Verdict } from "./submit-line";

/** A group that waits longer for a lock gives up. Its batches go alone, so that only one contract's wait. */
const LOCK_WAIT_MS = 100;

/**
 * Stores several batches in one statement, each judged by itself in order of arrival. It does what the
 * statement in submit-batch.ts does, with the locks in the same order: new IDs first, sorted, then accounts,
 * sorted. So two processes never deadlock. A PREFUNDED contract's batches are stored only as far as its
 * points last when the statement begins.
 */
export async function storeTogether(
  group: readonly ReadyBatch[],
  lockWaitMs = LOCK_WAIT_MS,
): Promise<Verdict[]> {
  const [{ ctx }] = group as [ReadyBatch];
  // All wait for it, so it ends with the shortest wait.
  const errands = group.flatMap((ready) => ready.ctx.db.errands ?? []);
  const db = baseOf(ctx.db);
  const { sql } = db;
  const contracts = group.map(({ input }) => addressToBytes(input.contractAddress));
  const packed = group.map(({ input }) => packTransfers(input.transfers));
  const list = (values: readonly (string | number | boolean)[]) => `{${values.join(",")}}`;
  const available = sql`a.earned + a.received - a.sent - a.pending`;
  const query = sql<{ verdict: Verdict }[]>`
    with given as materialized (
      select * from unnest(
        ${addressArray(contracts)}::bytea[],
        ${list(group.map(({ input }) => input.pointType))}::point_type[],
        ${group.map(({ batchId }) => batchId)}::text[],
        ${list(group.map(({ batch }) => batch.total))}::text::numeric[],
        ${list(group.map(({ input }) => input.transfers.length))}::text::int[],
        ${list(group.map(({ batch }) => batch.waitSeconds))}::text::int[],
        ${addressArray(group.map(({ batch }) => batch.digest))}::bytea[],
        ${addressArray(group.map(({ batch }) => batch.transfersHash))}::bytea[],
        ${group.map((ready) => ready.ctx.actor)}::text[],
        ${group.map((ready) => ready.ctx.requestId)}::text[],
        ${group.map((ready) => ready.ctx.tokenCreatedBy ?? null)}::text[],
        ${list(group.map(({ input }) => input.batchId === undefined))}::text::boolean[],
        ${packed.map(({ addresses }) => addresses)}::text[],
        ${packed.map(({ points }) => points)}::text[]
      ) with ordinality as given (
        contract_address, point_type, id, points, transfer_count, wait_seconds, digest, transfers_hash,
        submitted_by, request_id, token_created_by, keyless, addresses, amounts, place
      )
    ), locked_time as materialized (
      select set_config('lock_timeout', ${String(lockWaitMs)}, true),
        max((pg_advisory_xact_lock_shared(${SUBMIT_LOCK_SPACE}::int, key) is not null)::int) as locks
      from (
        select distinct key from unnest(${list(contracts.map(submitLockKey))}::text::int[]) as key
      ) as keys
    ), created as materialized (
      select date_trunc('milliseconds', case when locks = 1 then clock_timestamp() end) as at from locked_time
    ), judged as materialized (
      select
        g.*,
        r.contract_address is not null as is_ruled,
        r.threshold,
        r.on_unusual,
        r.day_threshold,
        g.keyless and c.key_required as lacks_key,
        c.issuance = 'ON_DEMAND' or sum(g.points) over (
          partition by g.contract_address, g.point_type order by g.place
        ) <= ${available} as fits
      from given g
        join accounts a on a.address = g.contract_address and a.point_type = g.point_type
        join contracts c on c.address = g.contract_address
        left join approval_rules r on r.contract_address = g.contract_address and r.point_type = g.point_type
      order by g.place
    ), drawn as materialized (
      select
        j.*,
        nextval('batches_seq_seq') as seq,
        nextval('issuances_id_seq') as issuance_id,
        case
          when j.points >= j.threshold then 'THRESHOLD'
          when j.on_unusual then 'REVIEW'
        end as approval_need
      from judged j
      where j.fits and j.day_threshold is null and not j.lacks_key
    ), batch as (
      insert into batches (
        contract_address, seq, id, point_type, points, transfer_count, wait_seconds,
        digest, transfers_hash, submitted_by, submit_request_id, keyless,
        created_at, finalize_at,
        approval_need, awaits_approval, token_created_by
      )
      overriding system value
      select
        d.contract_address, d.seq, d.id, d.point_type, d.points, d.transfer_count, d.wait_seconds,
        d.digest, d.transfers_hash, d.submitted_by, d.request_id, d.keyless,
        created.at, created.at + d.wait_seconds * interval '1 second',
        d.approval_need, d.approval_need is not null, case when d.is_ruled then d.token_created_by end
      from drawn d, created
      order by d.contract_address, d.id, d.place
      on conflict (contract_address, id) do nothing
      returning seq, contract_address, point_type, points, created_at as at
    ), stored as (
      insert into batch_transfers (batch_seq, contract_address, addresses, points)
      select b.seq, b.contract_address, d.addresses::bytea, d.amounts::numeric(38,12)[]
      from batch b join drawn d on d.seq = b.seq
      returning batch_seq
    ), sums as materialized (
      select b.contract_address, b.point_type, sum(b.points) as points
      from stored s join batch b on b.seq = s.batch_seq
      group by b.contract_address, b.point_type
    ), locked as materialized (
      select a.address, a.point_type, s.points
      from accounts a join sums s on s.contract_address = a.address and s.point_type = a.point_type
      order by a.address, a.point_type
      for no key update of a
    ), reserved as (
      update accounts a set
        pending = a.pending + l.points,
        earned = a.earned + case
          when c.issuance = 'ON_DEMAND' then greatest(l.points - (${available}), 0)
          else 0
        end,
        issued_last = case
          when c.issuance = 'ON_DEMAND' then greatest(l.points - (${available}), 0)
          else 0
        end
      from locked l join contracts c on c.address = l.address
      where a.address = l.address and a.point_type = l.point_type
      returning a.address, a.point_type, a.issued_last, ${available} - a.issued_last + l.points as before
    ), issued as (
      insert into issuances (contract_address, id, point_type, points, batch_seq)
      overriding system value
      select lacking.contract_address, d.issuance_id, d.point_type, lacking.points, d.seq
      from (
        select b.contract_address, b.seq,
          greatest(sum(b.points) over so_far - r.before, 0)
            - greatest(sum(b.points) over so_far - b.points - r.before, 0) as points
        from batch b join reserved r on r.address = b.contract_address and r.point_type = b.point_type
        where r.issued_last > 0
        window so_far as (partition by b.contract_address, b.point_type order by b.seq)
      ) as lacking join drawn d on d.seq = lacking.seq
      where lacking.points > 0
    )
    ${announce(db, "batch.created", "batch", null)}
    ${storeMetadata(db, group)}
    select case
        when done.at >= ${endOf(errands)}::timestamptz then ${sql.unsafe(FAIL_LATE)}
        when b.seq is not null then 'stored'
        when j.place is null or d.seq is not null then 'kept'
        else 'alone' end as verdict
    from given g
      left join judged j on j.place = g.place
      left join drawn d on d.place = g.place
      left join batch b on b.seq = d.seq
      -- After the last lock.
      cross join (select case when count(*) >= 0 then clock_timestamp() end as at from reserved) as done
    order by g.place`;
  const rows = await endingItself(query, errands, db);
  crashPoint("after-group");
  const verdicts = rows.map(({ verdict }) => verdict);
  for (const [at, ready] of group.entries())
    if (verdicts[at] !== "stored") for (const errand of ready.ctx.db.errands ?? []) errand.storedNothing();
  return verdicts;
}

/** A CTE that stores the metadata of the batches that have any. */
function storeMetadata({ sql }: Database, group: readonly ReadyBatch[]) {
  const entries = group.flatMap(({ input }, at) =>
    Object.entries(input.metadata ?? {}).map(([key, value]) => ({ place: at + 1, key, value })),
  );
  if (entries.length === 0) return sql``;
  return sql`, described as (
    insert into batch_metadata (contract_address, batch_seq, key, value, created_at)
    select b.contract_address, b.seq, given.key, given.value, b.at
    from unnest(
        ${entries.map(({ place }) => place)}::int[],
        ${entries.map(({ key }) => key)}::text[],
        ${entries.map(({ value }) => value)}::text[]
      ) as given (place, key, value)
      join drawn d on d.place = given.place
      join batch b on b.seq = d.seq)`;
}
