import type { Sql } from "postgres";
import type { Database } from "@/db/client";
import { addressArray, distinctAddresses } from "../kernel/values/addresses";
import {
  type BatchRow,
  REVERSAL_COLUMNS,
  type ReversalState,
  toReversalState,
} from "../kernel/values/batch-rows";
import { COUNT_MAX } from "./console-schema";

/** How the transfers of a page and their reversals refer to each other. */
export interface ReversalLinks {
  /** ID of the batch that a reversal takes back, by the reversal's sequence number. */
  reverses: ReadonlyMap<string, string>;
  /** The reversal of a transfer, by the sequence number of the batch that paid. Not a cancelled one. */
  reversedBy: ReadonlyMap<string, ReversalState>;
}

interface Row {
  contract_address: Buffer;
  batch_seq: string;
  is_reversal: boolean;
}

/** A CTE with what was or is about to be taken back from an address: the latest `COUNT_MAX` + 1, each looked up by key. */
export const takenFrom = (sql: Sql, address: Buffer) => sql`
  reversed_rows as materialized (
    select contract_address, reversal_seq, points from reversed_transfers where to_address = ${address}
    order by reversal_seq desc limit ${COUNT_MAX + 1}
  ), taken as materialized (
    select b.point_type, b.status, r.points from reversed_rows r cross join lateral (
      select point_type, status from batches where contract_address = r.contract_address and seq = r.reversal_seq
      group by contract_address, seq
    ) b
  )`;

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
    addressArray(distinctAddresses(some.map(({ contract_address }) => contract_address)));
  const [reversed, reversing] = await Promise.all([
    reversals.length > 0
      ? sql<{ seq: string; id: string }[]>`
          select b.seq, o.id from batches b
            join batches o on o.contract_address = b.contract_address and o.seq = b.reverses_seq
          where b.contract_address = any(${contractsOf(reversals)}::bytea[]) and b.seq = any(${seqsOf(reversals)}::text::bigint[])`
      : [],
    sql<(BatchRow & { seq: string })[]>`
      select r.batch_seq as seq, ${sql.unsafe(REVERSAL_COLUMNS)}
      from reversed_transfers r join batches b on b.contract_address = r.contract_address and b.seq = r.reversal_seq
      where r.contract_address = any(${contractsOf(rows)}::bytea[]) and r.to_address = ${address}
        and r.batch_seq = any(${seqsOf(rows)}::text::bigint[])`,
  ]);
  return {
    reverses: new Map(reversed.map(({ seq, id }) => [seq, id])),
    reversedBy: new Map(reversing.map((row) => [row.seq, toReversalState(row)])),
  };
}
