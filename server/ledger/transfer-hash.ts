import type { Sql, TransactionSql } from "postgres";

/**
 * 64 bits of a transfer's address, amount and time, to be summed over a batch. Each is the seed of the next one's hash: the hash
 * of a record is linear in the hashes of its columns, so its sum over two transfers is the same when they exchange addresses.
 */
export const transferHash = (
  sql: Sql | TransactionSql,
  address: string,
  points: string,
  createdAt: string,
) => sql`
  hash_record_extended(row(${sql(address)}), hash_numeric_extended(${sql(points)},
    (extract(epoch from ${sql(createdAt)}) * 1000)::bigint))`;
