import type { PendingQuery, Row, TransactionSql } from "postgres";
import { type Checkpoint, changesSince } from "./checkpoint";
import { issued, movedByAddresses, movedByContracts, movedByTransfers } from "./movements";

type Query = PendingQuery<Row[]>;

/** The data that a check reads, as SQL fragments. Each rule is one query over such a scope. */
export interface Scope {
  name: "whole" | "new" | "slice";
  /** A condition on `batches b`. */
  batches: Query;
  /** A condition on rows that belong to a batch, by their batch sequence column. */
  sequences(column: string): Query;
  /** A condition on `issuances i`. */
  issuances: Query;
  /** Balances, or balance changes: address, point_type, earned, received, sent, pending. */
  balances: Query;
  /** The expected balances, in the same columns. An account may have several rows. */
  history: Query;
}

/** The whole ledger. */
export function wholeScope(tx: TransactionSql): Scope {
  const all = tx`true`;
  return {
    name: "whole",
    batches: all,
    sequences: () => all,
    issuances: all,
    balances: tx`select address, point_type, earned, received, sent, pending from accounts`,
    history: tx`${movedByContracts(tx, all)} union all ${issued(tx, all)} union all ${movedByTransfers(tx, all)}`,
  };
}

/** Everything created, settled or issued since the checkpoint, and all balances. */
export function newScope(tx: TransactionSql, checkpoint: Checkpoint): Scope {
  const { horizon } = checkpoint;
  const open = tx`b.status in ('PENDING', 'FINALIZING')`;
  return {
    name: "new",
    batches: tx`(b.created_at > ${horizon}::timestamptz
      or b.status = 'FINALIZED' and b.finalized_at > ${horizon}::timestamptz)`,
    sequences: () => tx`false`,
    issuances: tx`(i.id > ${checkpoint.issuanceId}::bigint and i.created_at > ${horizon}::timestamptz)`,
    balances: tx`
      select address, point_type, coalesce(a.earned, 0) - coalesce(c.earned, 0) as earned,
        coalesce(a.received, 0) - coalesce(c.received, 0) as received, coalesce(a.sent, 0) - coalesce(c.sent, 0) as sent,
        coalesce(a.pending, 0) as pending
      from accounts a full join ledger_checkpoint_accounts c using (address, point_type)
      where (a.earned, a.received, a.sent, a.pending) is distinct from (c.earned, c.received, c.sent, 0)`,
    history: tx`
      ${changesSince(tx, checkpoint)} union all ${movedByContracts(tx, open)} union all ${movedByTransfers(tx, open)}`,
  };
}

/** The next slice: a range of batches by sequence, and a range of accounts by address with their full history. */
export function sliceScope(tx: TransactionSql, { slices, slicesDone, batchSeqMax }: Checkpoint): Scope {
  // The last slice has no upper bounds, so it includes rows added since the round started.
  const isLast = slicesDone + 1 >= slices;
  const within = (column: string, cast: string, after: Buffer | string, upTo: Buffer | string) => tx`
    ${tx(column)} > ${after}::${tx.unsafe(cast)} ${isLast ? tx`` : tx`and ${tx(column)} <= ${upTo}::${tx.unsafe(cast)}`}`;
  const sequences = (column: string) =>
    within(
      column,
      "bigint",
      part(BigInt(batchSeqMax), slicesDone, slices).toString(),
      part(BigInt(batchSeqMax), slicesDone + 1, slices).toString(),
    );
  const addresses = (column: string) =>
    within(column, "bytea", addressAt(slicesDone, slices), addressAt(slicesDone + 1, slices));
  return {
    name: "slice",
    // Joining contracts gives one key range per contract. The sequence alone is not indexed.
    batches: tx`(${sequences("b.seq")} and b.contract_address in (select address from contracts))`,
    sequences,
    issuances: addresses("i.contract_address"),
    balances: tx`
      select a.address, a.point_type, a.earned, a.received, a.sent, a.pending from accounts a where ${addresses("a.address")}`,
    history: tx`
      ${movedByContracts(tx, addresses("b.contract_address"))} union all ${issued(tx, addresses("i.contract_address"))}
      union all ${movedByAddresses(tx, addresses)}`,
  };
}

const part = (whole: bigint, done: number, slices: number) => (whole * BigInt(done)) / BigInt(slices);

const ADDRESSES = 1n << 160n;

/** Addresses are effectively random, so equal ranges hold about the same number of accounts. The first bound is below all. */
function addressAt(done: number, slices: number): Buffer {
  const bound = part(ADDRESSES, done, slices) - 1n;
  return bound < 0n ? Buffer.alloc(0) : Buffer.from(bound.toString(16).padStart(40, "0"), "hex");
}
