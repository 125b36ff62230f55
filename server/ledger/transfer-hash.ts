import type { Sql, TransactionSql } from "postgres";

/**
 * A 64-bit hash of a transfer's address, amount and time, to be summed over a batch. Each hash seeds the next
 * one. A record hash would be linear in its columns, so swapping two addresses would not change the sum.
 */
export const transferHash = (
  sql: Sql | TransactionSql,
  address: string,
  points: string,
  createdAt: string,
) => sql`
  hash_record_extended(row(${sql(address)}), hash_numeric_extended(${sql(points)},
    (extract(epoch from ${sql(createdAt)}) * 1000)::bigint))`;
