import type { TransactionSql } from "postgres";

/**
 * What is younger than this may still be committing: a settling lasts at most DATABASE_TIMEOUT_SECONDS (300), and its
 * `now()` is when it began.
 */
export const UNSETTLED_SECONDS = 600;

const NO_ADDRESS = "\\x";

/** Where the incremental check stands. Instants and sequences are the database's own text. */
export interface Checkpoint {
  horizon: string;
  /** The horizon that this check moves to. */
  nextHorizon: string;
  issuanceId: string;
  slices: number;
  slicesDone: number;
  sliceBatches: string;
  sliceAccounts: string;
  batchSeqMax: string;
  lastCreatedAt: string;
  lastBatchSeq: string;
  lastAddress: Buffer;
}

/** @param unsettledSeconds `UNSETTLED_SECONDS`, less in tests that nothing else writes beside */
export async function readCheckpoint(
  tx: TransactionSql,
  unsettledSeconds: number,
): Promise<Checkpoint | null> {
  const [row] = await tx<Checkpoint[]>`
    select horizon::text, issuance_id::text as "issuanceId", slices, slices_done as "slicesDone",
      greatest(horizon, now() - ${unsettledSeconds}::int * interval '1 second')::timestamptz(3)::text as "nextHorizon",
      slice_batches::text as "sliceBatches", slice_accounts::text as "sliceAccounts", batch_seq_max::text as "batchSeqMax",
      last_created_at::text as "lastCreatedAt", last_batch_seq::text as "lastBatchSeq", last_address as "lastAddress"
    from ledger_checkpoint`;
  return row ?? null;
}

/** Forgets what was checked: the next check reads everything. For whoever writes history, such as made-up batches. */
export async function dropCheckpoint(tx: TransactionSql): Promise<void> {
  await tx`delete from ledger_checkpoint`;
  await tx`delete from ledger_checkpoint_accounts`;
}

/** Keeps the balances as of the horizon. Only after the whole ledger was found in order, in the same snapshot. */
export async function makeCheckpoint(
  tx: TransactionSql,
  slices: number,
  unsettledSeconds: number,
): Promise<void> {
  await dropCheckpoint(tx);
  const [at] = await tx<{ horizon: string }[]>`
    select (now() - ${unsettledSeconds}::int * interval '1 second')::timestamptz(3)::text as horizon`;
  const { horizon } = at!;
  await tx`
    insert into ledger_checkpoint_accounts (address, point_type, earned, received, sent)
    select address, point_type, a.earned - coalesce(d.earned, 0), a.received - coalesce(d.received, 0),
      a.sent - coalesce(d.sent, 0)
    from accounts a left join (${changesSince(tx, { horizon, issuanceId: "0" })}) as d using (address, point_type)`;
  await tx`
    insert into ledger_checkpoint (horizon, issuance_id, slices, slice_batches, slice_accounts, batch_seq_max,
      round_started_at, round_finished_at, last_created_at, last_batch_seq, last_address)
    select ${horizon}::timestamptz, ${issuanceBefore(tx, horizon, "0")}, ${slices}, 0, 0, 0, now(), now(),
      '-infinity', 0, ${NO_ADDRESS}::text::bytea`;
  await startRound(tx, slices);
}

/** Cuts everything that is old now into slices. */
async function startRound(tx: TransactionSql, slices: number): Promise<void> {
  await tx`
    update ledger_checkpoint set slices = ${slices}, slices_done = 0, round_started_at = now(),
      slice_batches = (select ceil(count(*)::numeric / ${slices}::int) from batches),
      slice_accounts = (select ceil(count(*)::numeric / ${slices}::int) from accounts),
      batch_seq_max = (select coalesce(max(batch_seq), 0) from transfers),
      last_created_at = '-infinity', last_batch_seq = 0, last_address = ${NO_ADDRESS}::text::bytea`;
}

/** Takes what was settled and issued between the two horizons into the balances, and goes on to the next slice. */
export async function moveCheckpoint(
  tx: TransactionSql,
  checkpoint: Checkpoint,
  slice: { lastCreatedAt: string; lastBatchSeq: string; lastAddress: Buffer },
  slices: number,
): Promise<void> {
  const { horizon, nextHorizon, issuanceId } = checkpoint;
  await tx`
    insert into ledger_checkpoint_accounts as c (address, point_type, earned, received, sent)
    select address, point_type, earned, received, sent
    from (${changesSince(tx, { horizon, issuanceId, until: nextHorizon })}) as d
    on conflict (address, point_type) do update set earned = c.earned + excluded.earned,
      received = c.received + excluded.received, sent = c.sent + excluded.sent`;
  const isRoundDone = checkpoint.slicesDone + 1 >= checkpoint.slices;
  await tx`
    update ledger_checkpoint set horizon = ${nextHorizon}::timestamptz,
      issuance_id = ${issuanceBefore(tx, nextHorizon, issuanceId)}, slices_done = slices_done + 1,
      round_finished_at = case when ${isRoundDone}::boolean then now() else round_finished_at end,
      last_created_at = ${slice.lastCreatedAt}::timestamptz, last_batch_seq = ${slice.lastBatchSeq}::bigint,
      last_address = ${slice.lastAddress}`;
  if (isRoundDone) await startRound(tx, slices);
}

/** What was settled and issued after a horizon, by account. Read with an index of `finalized_at` and of issuances' ids. */
export function changesSince(
  tx: TransactionSql,
  { horizon, issuanceId, until }: { horizon: string; issuanceId: string; until?: string },
) {
  const settledUntil = until === undefined ? tx`` : tx`and b.finalized_at <= ${until}::timestamptz`;
  const issuedUntil = until === undefined ? tx`` : tx`and created_at <= ${until}::timestamptz`;
  return tx`
    with moved as materialized (
      select b.contract_address, b.point_type, t.to_address, t.points
      from batches b join transfers t on t.batch_seq = b.seq and t.contract_address = b.contract_address
      where b.status = 'FINALIZED' and b.finalized_at > ${horizon}::timestamptz ${settledUntil}
    )
    select address, point_type, sum(earned) as earned, sum(received) as received, sum(sent) as sent from (
      select to_address as address, point_type, 0::numeric as earned, points as received, 0::numeric as sent from moved
      union all
      select contract_address, point_type, 0, 0, points from moved
      union all
      select contract_address, point_type, points, 0, 0 from issuances
      where id > ${issuanceId}::bigint and created_at > ${horizon}::timestamptz ${issuedUntil}
    ) as changes group by address, point_type`;
}

/**
 * An id that every issuance made after the horizon exceeds. Of those that are seen it is told exactly; one that is still
 * committing draws its id after the horizon, later than any that is `UNSETTLED_SECONDS` older.
 */
function issuanceBefore(tx: TransactionSql, horizon: string, known: string) {
  return tx`(select least(
      coalesce(max(id) filter (
        where created_at <= ${horizon}::timestamptz - ${UNSETTLED_SECONDS}::int * interval '1 second'), ${known}::bigint),
      min(id) filter (where created_at > ${horizon}::timestamptz) - 1)
    from issuances where id > ${known}::bigint)`;
}
