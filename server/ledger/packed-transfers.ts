import type { Sql, TransactionSql } from "postgres";
import { addressFromBytes } from "@/server/kernel/address-bytes";
import { seqArray } from "@/server/kernel/batch-rows";
import { shortestPoints } from "@/terms/points";

/** As shown to callers: checksummed address, amount in its shortest exact form, a reference if it has one. */
export type Transfer = { toAddress: string; points: string; reference?: string | undefined };

const ADDRESS_BYTES = 20;

/** Packed columns, detoasted once and not for every `substring`. Use them in a CTE `as materialized`. */
export const PACKED_COLUMNS =
  "t.contract_address, t.batch_seq, t.addresses || ''::bytea as addresses, t.points";

/**
 * Unpacks transfers to one row each: `position` from 0, `to_address`, `points`, and `columns` of the packed
 * row. Both set-returning functions are in one select list, so they advance together. That takes a quarter
 * less work than `with ordinality`, measured with few recipients.
 * @param packed name of a materialized CTE with `PACKED_COLUMNS`, aliased as `p` here
 * @param columns further columns, such as `p.point_type`
 */
export function unpacked(sql: Sql | TransactionSql, packed: string, columns: string) {
  const bytes = sql.unsafe(String(ADDRESS_BYTES));
  return sql`
    select ${sql.unsafe(columns)}, (p.from_byte - 1) / ${bytes} as position,
      substring(p.addresses from p.from_byte for ${bytes}) as to_address, p.amount as points
    from (
      select p.*, unnest(p.points) as amount, generate_series(1, length(p.addresses), ${bytes}) as from_byte
      from ${sql(packed)} p
    ) as p`;
}

/**
 * The other way to unpack, for statements that read many rows once. Unlike a materialized CTE it stores
 * nothing in between, and Citus runs it on every shard, not on the coordinator. This part goes into a FROM
 * after `batch_transfers t`. It is an aggregate over one value, which detoasts that value only once.
 */
export const ADDRESSES_OF = `cross join lateral (
    select string_agg(v.addresses, ''::bytea) as addresses
    from (values (t.addresses)) as v (addresses)) as w`;

/** Goes after that, also lateral: `to_address` and `points`. A shorter column is padded with nulls. */
export const TRANSFERS_OF = `(
    select n.points, substring(w.addresses from n.from_byte for 20) as to_address
    from (select unnest(t.points) as points, generate_series(1, length(w.addresses), 20) as from_byte) as n)`;

export interface PackedTransfers {
  addresses: Buffer;
  /** The text of a Postgres array of amounts. */
  points: string;
  /** By position; null without any. */
  references: Record<string, string> | null;
}

/** All transfers of batches of a contract, in the order sent, by the batch's sequence number. */
export async function readTransfers(
  sql: Sql,
  contract: Buffer,
  batches: readonly { seq: string | bigint }[],
): Promise<Map<string, Transfer[]>> {
  const rows = await sql<(PackedTransfers & { seq: string })[]>`
    select batch_seq as seq, addresses, points::text as points, (
      select json_object_agg(r.position, r.reference) from transfer_references r
      where r.contract_address = ${contract} and r.batch_seq = batch_transfers.batch_seq
    ) as "references"
    from batch_transfers
    where contract_address = ${contract} and batch_seq = any(${seqArray(batches)}::text::bigint[])`;
  return new Map(rows.map((row) => [row.seq, unpackTransfers(row)]));
}

/** Unpacks transfers in the order they were sent. */
export function unpackTransfers({ addresses, points, references }: PackedTransfers): Transfer[] {
  return points
    .slice(1, -1)
    .split(",")
    .map((amount, at) => ({
      toAddress: addressFromBytes(addresses.subarray(at * ADDRESS_BYTES, (at + 1) * ADDRESS_BYTES)),
      points: shortestPoints(amount),
      ...(references?.[at] !== undefined && { reference: references[at] }),
    }));
}

/**
 * Packs a batch's transfers as the text of a `bytea` and of an array. With a `Buffer` the driver would
 * hex-encode it, which costs four times as much (`npm run bench -- submit`, 2,000 in lower case).
 */
export const packTransfers = (
  rows: readonly Omit<Transfer, "reference">[],
): { addresses: string; points: string } => ({
  addresses: `\\x${rows.map(({ toAddress }) => toAddress.slice(2)).join("")}`,
  points: `{${rows.map(({ points }) => points).join(",")}}`,
});
