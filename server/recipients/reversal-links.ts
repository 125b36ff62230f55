import type { Database } from "@/db/client";
import { toTimestamp } from "../kernel/values/batch-rows";

/** How the transfers of a page and their reversals refer to each other. */
export interface ReversalLinks {
  /** ID of the batch that a reversal takes back, by the reversal's sequence number. */
  reverses: ReadonlyMap<string, string>;
  /** The reversal of a transfer, by the sequence number of the batch that paid. Not a cancelled one. */
  reversedBy: ReadonlyMap<string, Reversal>;
}

interface Reversal {
  id: string;
  /** When the points were taken back; null before. */
  finalizedAt: string | null;
}

interface Row {
  contract_address: Buffer;
  batch_seq: string;
  is_reversal: boolean;
}

export async function readReversalLinks(
  { sql }: Database,
  address: Buffer,
  rows: readonly Row[],
): Promise<ReversalLinks> {
  if (rows.length === 0) return { reverses: new Map(), reversedBy: new Map() };
  const seqsOf = (some: readonly Row[]) => `{${some.map(({ batch_seq }) => batch_seq).join(",")}}`;
  const reversals = rows.filter(({ is_reversal }) => is_reversal);
  // Each once, so that Postgres expects no more lookups than there are.
  const contractsOf = (some: readonly Row[]) =>
    `{${[...new Set(some.map((row) => `"\\\\x${row.contract_address.toString("hex")}"`))].join(",")}}`;
  type Link = { seq: string; id: string };
  type TakenLink = Link & { finalized_at: string | null };
  const [taken, taking] = await Promise.all([
    reversals.length > 0
      ? sql<Link[]>`
          select b.seq, o.id from batches b
            join batches o on o.contract_address = b.contract_address and o.seq = b.reverses_seq
          where b.contract_address = any(${contractsOf(reversals)}::bytea[]) and b.seq = any(${seqsOf(reversals)}::text::bigint[])`
      : [],
    sql<TakenLink[]>`
      select r.batch_seq as seq, b.id, b.finalized_at
      from reversed_transfers r join batches b on b.contract_address = r.contract_address and b.seq = r.reversal_seq
      where r.contract_address = any(${contractsOf(rows)}::bytea[]) and r.to_address = ${address}
        and r.batch_seq = any(${seqsOf(rows)}::text::bigint[])`,
  ]);
  return {
    reverses: new Map(taken.map(({ seq, id }) => [seq, id])),
    reversedBy: new Map(
      taking.map(({ seq, id, finalized_at }) => [
        seq,
        { id, finalizedAt: finalized_at && toTimestamp(finalized_at) },
      ]),
    ),
  };
}
