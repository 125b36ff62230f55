import type { Database } from "@/db/client";
import { endOf, FAIL_LATE } from "@/db/errand";
import { baseOf, endingItself } from "@/db/on-errand";
import { addressArray, addressToBytes } from "@/server/kernel/address-bytes";
import { announce } from "@/server/kernel/announce";
import { crashPoint } from "@/server/kernel/process";
import { SUBMIT_LOCK_SPACE, submitLockKey } from "@/server/ledger/creation-order";
import { packTransfers } from "@/server/ledger/packed-transfers";
import { formatPoints, parsePoints } from "@/terms/points";
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
  const keyless = group.map(({ input }) => input.batchId === undefined);
  const waits = list(group.map(({ batch }) => batch.waitSeconds));
  const available = sql`a.earned + a.received - a.sent - a.pending`;
  const query = sql<{ place: number; verdict: Verdict }[]>`
    with locked_time as materialized (
      select set_config('lock_timeout', ${String(lockWaitMs)}, true),
        date_trunc('milliseconds', case
          when max((pg_advisory_xact_lock_shared(${SUBMIT_LOCK_SPACE}::int, key) is not null)::int) = 1
          then clock_timestamp()
        end) as at
      from unnest(${list([...new Set(contracts.map(submitLockKey))])}::int[]) as key
    ), judged as materialized (
      select g.contract_address, g.point_type, g.points, g.place::int as place,
        nextval('batches_seq_seq') as seq,
        nextval('issuances_id_seq') as issuance_id,
        g.keyless,
        r.contract_address is not null as is_ruled,
        case
          when g.points >= r.threshold then 'THRESHOLD'
          when r.on_unusual then 'REVIEW'
        end as approval_need,
        c.issuance = 'ON_DEMAND' as is_on_demand,
        r.day_threshold is null and not (g.keyless and c.key_required)
          and (c.issuance = 'ON_DEMAND' or g.so_far <= ${available}) as fits
      from unnest(
          ${addressArray(contracts)}::bytea[],
          ${list(group.map(({ input }) => input.pointType))}::point_type[],
          ${list(group.map(({ batch }) => batch.total))}::numeric[],
          ${list(runningTotals(group))}::numeric[],
          ${list(keyless)}::boolean[]
        ) with ordinality as g (contract_address, point_type, points, so_far, keyless, place)
        join accounts a on a.address = g.contract_address and a.point_type = g.point_type
        join contracts c on c.address = g.contract_address
        left join approval_rules r on r.contract_address = g.contract_address and r.point_type = g.point_type
      order by g.place
    ), batch as (
      insert into batches (
        contract_address, seq, id, point_type, points, transfer_count, wait_seconds,
        digest, transfers_hash, submitted_by, submit_request_id, keyless,
        created_at, finalize_at,
        approval_need, awaits_approval, token_created_by
      )
      overriding system value
      select
        j.contract_address, j.seq, (${group.map(({ batchId }) => batchId)}::text[])[j.place],
        j.point_type, j.points,
        (${list(group.map(({ input }) => input.transfers.length))}::int[])[j.place],
        (${waits}::int[])[j.place],
        (${addressArray(group.map(({ batch }) => batch.digest))}::bytea[])[j.place],
        (${addressArray(group.map(({ batch }) => batch.transfersHash))}::bytea[])[j.place],
        (${group.map((ready) => ready.ctx.actor)}::text[])[j.place],
        (${group.map((ready) => ready.ctx.requestId)}::text[])[j.place],
        j.keyless,
        (select at from locked_time),
        (select at from locked_time) + (${waits}::int[])[j.place] * interval '1 second',
        j.approval_need, j.approval_need is not null,
        case when j.is_ruled
          then (${group.map((ready) => ready.ctx.tokenCreatedBy ?? null)}::text[])[j.place]
        end
      from judged j
      where j.fits
      order by 1, 3, j.place
      on conflict (contract_address, id) do nothing
      returning seq, created_at as at
    ), made as materialized (
      select j.contract_address, j.point_type, j.points, j.place, b.seq, b.at, j.issuance_id, j.is_on_demand
      from batch b join judged j on j.seq = b.seq
    ), stored as (
      insert into batch_transfers (batch_seq, contract_address, addresses, points)
      select seq, contract_address,
        (${packed.map(({ addresses }) => addresses)}::text[])[place]::bytea,
        (${packed.map(({ points }) => points)}::text[])[place]::numeric(38,12)[]
      from made
      returning 1
    ), reserved as (
      insert into accounts as a (address, point_type, earned, pending, issued_last)
      select contract_address, point_type, sum(points), sum(points),
        case when is_on_demand then sum(points) else 0 end
      from made
      where (select count(*) from stored) > 0
      group by contract_address, point_type, is_on_demand
      order by contract_address, point_type
      on conflict (address, point_type) do update set
        pending = a.pending + excluded.pending,
        earned = a.earned + greatest(excluded.issued_last - (${available}), 0),
        issued_last = greatest(excluded.issued_last - (${available}), 0)
      returning a.address, a.point_type, a.issued_last
    ), issued as (
      insert into issuances (contract_address, id, point_type, points, batch_seq)
      overriding system value
      select contract_address, issuance_id, point_type, lacking, seq
      from (
        select m.contract_address, m.issuance_id, m.point_type, m.seq,
          least(sum(m.points) over rest, r.issued_last)
            - least(sum(m.points) over rest - m.points, r.issued_last) as lacking
        from made m join reserved r on r.address = m.contract_address and r.point_type = m.point_type
        where r.issued_last > 0
        window rest as (partition by m.contract_address, m.point_type order by m.seq desc)
      ) as each
      where lacking > 0
    )
    ${announce(db, "batch.created", "made", null)}
    ${storeMetadata(db, group)}
    select j.place, case
        when done.at >= ${endOf(errands)}::timestamptz then ${sql.unsafe(FAIL_LATE)}
        when m.place is not null then 'stored'
        when j.fits then 'kept'
        else 'alone' end as verdict
    from judged j
      left join made m on m.place = j.place
      -- After the last lock.
      cross join (select case when count(*) >= 0 then clock_timestamp() end as at from reserved) as done`;
  const rows = await endingItself(query, errands, db);
  crashPoint("after-group");
  // A batch without a row is of a contract that is not registered.
  const verdicts = group.map((): Verdict => "kept");
  for (const { place, verdict } of rows) verdicts[place - 1] = verdict;
  for (const [at, ready] of group.entries())
    if (verdicts[at] !== "stored") for (const errand of ready.ctx.db.errands ?? []) errand.storedNothing();
  return verdicts;
}

const list = (values: readonly (string | number | boolean)[]) => `{${values.join(",")}}`;

/** Per batch, the points of its contract and point type up to and with it. */
function runningTotals(group: readonly ReadyBatch[]): string[] {
  const totals = new Map<string, bigint>();
  return group.map(({ input, batch }) => {
    const key = `${input.pointType} ${input.contractAddress.toLowerCase()}`;
    const total = (totals.get(key) ?? 0n) + parsePoints(batch.total);
    totals.set(key, total);
    return formatPoints(total);
  });
}

function storeMetadata({ sql }: Database, group: readonly ReadyBatch[]) {
  const entries = group.flatMap(({ input }, at) =>
    Object.entries(input.metadata ?? {}).map(([key, value]) => ({ place: at + 1, key, value })),
  );
  if (entries.length === 0) return sql``;
  return sql`, described as (
    insert into batch_metadata (contract_address, batch_seq, key, value, created_at)
    select m.contract_address, m.seq, given.key, given.value, m.at
    from unnest(
        ${entries.map(({ place }) => place)}::int[],
        ${entries.map(({ key }) => key)}::text[],
        ${entries.map(({ value }) => value)}::text[]
      ) as given (place, key, value)
      join made m on m.place = given.place)`;
}
