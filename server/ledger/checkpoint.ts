import type { PendingQuery, Row, TransactionSql } from "postgres";
import { issued, movedByAddresses, movedByContracts, movedByTransfers } from "./movements";

/** Younger rows may be uncommitted: settling may take 300 s (DATABASE_TIMEOUT_SECONDS) from its `now()`. */
export const UNSETTLED_SECONDS = 600;

/** The state of the incremental check. Times and sequence numbers are text from the database. */
export interface Checkpoint {
  horizon: string;
  nextHorizon: string;
  issuanceId: string;
  slices: number;
  slicesDone: number;
  batchSeqMax: string;
}

/** @param unsettledSeconds `UNSETTLED_SECONDS`, or less in tests with no concurrent writers */
export async function readCheckpoint(
  tx: TransactionSql,
  unsettledSeconds: number,
): Promise<Checkpoint | null> {
  const [row] = await tx<Checkpoint[]>`
    select horizon::text, issuance_id::text as "issuanceId", slices, slices_done as "slicesDone",
      greatest(horizon, now() - ${unsettledSeconds}::int * interval '1 second')::timestamptz(3)::text
        as "nextHorizon",
      batch_seq_max::text as "batchSeqMax"
    from ledger_checkpoint`;
  return row ?? null;
}

/** Makes the next check read everything. Needed after writing past data, such as demo batches. */
export async function dropCheckpoint(tx: TransactionSql): Promise<void> {
  await tx`delete from ledger_checkpoint`;
  await tx`delete from ledger_checkpoint_accounts`;
}

/** Stores the balances at the horizon, only after a full check without findings, in the same snapshot. */
export async function makeCheckpoint(
  tx: TransactionSql,
  slices: number,
  unsettledSeconds: number,
): Promise<void> {
  await dropCheckpoint(tx);
  const [at] = await tx<{ horizon: string }[]>`
    select (now() - ${unsettledSeconds}::int * interval '1 second')::timestamptz(3)::text as horizon`;
  const { horizon } = at!;
  // Without `on conflict` Citus 13 would commit this in one phase, and a worker crash would lose rows.
  await tx`
    insert into ledger_checkpoint_accounts (address, point_type, earned, received, sent)
    select address, point_type, earned, received, sent from accounts
    on conflict (address, point_type) do nothing`;
  await addChanges(tx, -1, { horizon, issuanceId: "0" });
  const issuanceId = await issuanceBefore(tx, horizon, "0");
  await tx`
    insert into ledger_checkpoint (horizon, issuance_id, slices, batch_seq_max, round_started_at,
      round_finished_at)
    values (${horizon}::timestamptz, ${issuanceId}::bigint, ${slices}, 0, now(), now())`;
  await startRound(tx, slices);
}

/** Divides all data up to now into slices. */
async function startRound(tx: TransactionSql, slices: number): Promise<void> {
  const [last] = await tx<{ seq: string }[]>`
    select greatest(
      (select max(batch_seq) from batch_transfers),
      (select max(batch_seq) from recipient_transfers),
      0)::text as seq`;
  await tx`
    update ledger_checkpoint set slices = ${slices}, slices_done = 0, round_started_at = now(),
      batch_seq_max = ${last!.seq}::bigint`;
}

/** Adds changes between the two horizons to the stored balances, and moves to the next slice. */
export async function moveCheckpoint(
  tx: TransactionSql,
  checkpoint: Checkpoint,
  slices: number,
): Promise<void> {
  const { horizon, nextHorizon, issuanceId } = checkpoint;
  await addChanges(tx, 1, { horizon, issuanceId, until: nextHorizon });
  const nextIssuanceId = await issuanceBefore(tx, nextHorizon, issuanceId);
  const isRoundDone = checkpoint.slicesDone + 1 >= checkpoint.slices;
  await tx`
    update ledger_checkpoint
    set horizon = ${nextHorizon}::timestamptz, issuance_id = ${nextIssuanceId}::bigint,
      slices_done = slices_done + 1 ${isRoundDone ? tx`, round_finished_at = now()` : tx``}`;
  if (isRoundDone) await startRound(tx, slices);
}

/** Adds changes since a horizon to the stored balances, or subtracts them. */
async function addChanges(
  tx: TransactionSql,
  sign: 1 | -1,
  since: { horizon: string; issuanceId: string; until?: string },
): Promise<void> {
  await tx`
    insert into ledger_checkpoint_accounts as c (address, point_type, earned, received, sent)
    select address, point_type,
      ${sign}::int * sum(earned), ${sign}::int * sum(received), ${sign}::int * sum(sent)
    from (${changesSince(tx, since)}) as changes group by address, point_type
    on conflict (address, point_type) do update
      set earned = c.earned + excluded.earned, received = c.received + excluded.received,
        sent = c.sent + excluded.sent`;
}

/** What settling and issuing changed after a horizon, by the indexes on `finalized_at` and issuance ids. */
export function changesSince(
  tx: TransactionSql,
  { horizon, issuanceId, until }: { horizon: string; issuanceId: string; until?: string },
) {
  const within = (at: string) => tx`
    ${tx(at)} > ${horizon}::timestamptz and ${tx(at)} <= ${until ?? "infinity"}::timestamptz`;
  const settled = tx`b.status = 'FINALIZED' and ${within("b.finalized_at")}`;
  const made = tx`i.id > ${issuanceId}::bigint and ${within("i.created_at")}`;
  return tx`
    ${movedByContracts(tx, settled)}
    union all ${movedByTransfers(tx, settled)}
    union all ${issued(tx, made)}`;
}

/**
 * An id lower than that of every issuance after the horizon. Exact for visible issuances. One that is still
 * committing gets its id after the horizon, higher than that of any issuance `UNSETTLED_SECONDS` older.
 */
async function issuanceBefore(tx: TransactionSql, horizon: string, known: string): Promise<string> {
  const [row] = await tx<{ id: string }[]>`
    select least(
      coalesce(
        max(id) filter (
          where created_at <= ${horizon}::timestamptz - ${UNSETTLED_SECONDS}::int * interval '1 second'),
        ${known}::bigint),
      min(id) filter (where created_at > ${horizon}::timestamptz) - 1)::text as id
    from issuances where id > ${known}::bigint`;
  return row!.id;
}

type Query = PendingQuery<Row[]>;

/** The data that a check reads, as SQL fragments. Each rule is one query over such a scope. */
export interface Scope {
  name: "whole" | "new" | "slice";
  batches: Query;
  /** A condition on rows that belong to a batch, by their batch sequence column. */
  sequences(column: string): Query;
  /** A condition on `issuances i`. */
  issuances: Query;
  /** A condition on `snapshots s`, and equally on `allocations s`. */
  snapshots: Query;
  /** Balances, or balance changes: address, point_type, earned, received, sent, pending. */
  balances: Query;
  /** The expected balances, in the same columns. An account may have several rows. */
  history: Query;
}

export function wholeScope(tx: TransactionSql): Scope {
  const all = tx`true`;
  return {
    name: "whole",
    batches: all,
    sequences: () => all,
    issuances: all,
    snapshots: all,
    balances: tx`select address, point_type, earned, received, sent, pending from accounts`,
    history: tx`
      ${movedByContracts(tx, all)} union all ${issued(tx, all)} union all ${movedByTransfers(tx, all)}`,
  };
}

/** Everything created, settled or issued since the checkpoint, and all balances. */
export function newScope(tx: TransactionSql, checkpoint: Checkpoint): Scope {
  const { horizon } = checkpoint;
  // The index by status begins with the type.
  const open = tx`b.point_type = any(enum_range(null::point_type)) and b.status in ('PENDING', 'FINALIZING')`;
  return {
    name: "new",
    batches: tx`(b.created_at > ${horizon}::timestamptz
      or b.status = 'FINALIZED' and b.finalized_at > ${horizon}::timestamptz)`,
    sequences: () => tx`false`,
    issuances: tx`(i.id > ${checkpoint.issuanceId}::bigint and i.created_at > ${horizon}::timestamptz)`,
    snapshots: tx`s.finished_at > ${horizon}::timestamptz`,
    balances: tx`
      select address, point_type,
        coalesce(a.earned, 0) - coalesce(c.earned, 0) as earned,
        coalesce(a.received, 0) - coalesce(c.received, 0) as received,
        coalesce(a.sent, 0) - coalesce(c.sent, 0) as sent,
        coalesce(a.pending, 0) as pending
      from accounts a full join ledger_checkpoint_accounts c using (address, point_type)
      where (a.earned, a.received, a.sent, a.pending) is distinct from (c.earned, c.received, c.sent, 0)`,
    history: tx`
      ${changesSince(tx, checkpoint)}
      union all ${movedByContracts(tx, open)}
      union all ${movedByTransfers(tx, open)}`,
  };
}

/** The next slice: batches by sequence, and accounts by address with their full history. */
export function sliceScope(tx: TransactionSql, { slices, slicesDone, batchSeqMax }: Checkpoint): Scope {
  // The last slice has no upper bounds, so it includes rows added since the round started.
  const isLast = slicesDone + 1 >= slices;
  const inSlice = (column: string, cast: string, after: Buffer | string, upTo: Buffer | string) => {
    const below = isLast ? tx`` : tx`and ${tx(column)} <= ${upTo}::${tx.unsafe(cast)}`;
    return tx`${tx(column)} > ${after}::${tx.unsafe(cast)} ${below}`;
  };
  const sequences = (column: string) =>
    inSlice(
      column,
      "bigint",
      part(BigInt(batchSeqMax), slicesDone, slices).toString(),
      part(BigInt(batchSeqMax), slicesDone + 1, slices).toString(),
    );
  const addresses = (column: string) =>
    inSlice(column, "bytea", addressAt(slicesDone, slices), addressAt(slicesDone + 1, slices));
  return {
    name: "slice",
    // Joining contracts gives one key range per contract. The sequence alone is not indexed.
    batches: tx`(${sequences("b.seq")} and b.contract_address in (select address from contracts))`,
    sequences,
    issuances: addresses("i.contract_address"),
    snapshots: tx`mod(abs(hashtext(s.id::text)::bigint), ${slices}::int) = ${slicesDone}::int`,
    balances: tx`
      select a.address, a.point_type, a.earned, a.received, a.sent, a.pending
      from accounts a where ${addresses("a.address")}`,
    history: tx`
      ${movedByContracts(tx, addresses("b.contract_address"))}
      union all ${issued(tx, addresses("i.contract_address"))}
      union all ${movedByAddresses(tx, addresses)}`,
  };
}

const part = (whole: bigint, done: number, slices: number) => (whole * BigInt(done)) / BigInt(slices);

const ADDRESSES = 1n << 160n;

/** Addresses are random, so equal ranges hold about as many accounts. The first bound is below all. */
function addressAt(done: number, slices: number): Buffer {
  const bound = part(ADDRESSES, done, slices) - 1n;
  return bound < 0n ? Buffer.alloc(0) : Buffer.from(bound.toString(16).padStart(40, "0"), "hex");
}
