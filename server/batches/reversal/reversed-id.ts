import type { Fragment, Sql, TransactionSql } from "postgres";

/**
 * The ID of the batch that a row of `batches` takes back, null for a payment. A lookup by key, made only for reversals.
 * @param contract the batch's contract, as a parameter or a column
 */
export const reversedId = (
  sql: Sql | TransactionSql,
  contract: Fragment,
  seq: Fragment = sql`batches.reverses_seq`,
) => sql`
  case when ${seq} is not null then
    (select o.id from batches o where o.contract_address = ${contract} and o.seq = ${seq}) end`;
