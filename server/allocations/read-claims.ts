import type { Sql, TransactionSql } from "postgres";
import type { ReadClaims } from "./claims";

const ADDRESS_BYTES = 20;

interface StoredRow {
  firstIndex: number;
  addresses: Buffer;
  /** The text of a Postgres array. */
  amounts: string;
}

/**
 * The claims of an allocation as they are stored, a packed row at a time.
 * @param id its UUID as 16 bytes
 * @param count how many it has; rows beyond are not its own
 */
export const readClaims = (sql: Sql | TransactionSql, id: Buffer, count: number): ReadClaims =>
  async function* read() {
    for (let next = 0; next < count; ) {
      const [row] = await sql<StoredRow[]>`
        select first_index as "firstIndex", addresses, amounts::text from allocation_claims
        where allocation_id = ${id} and first_index = ${next}::int`;
      if (!row) throw new Error(`claim ${next} of ${count} is not stored`);
      const amounts = row.amounts.slice(1, -1).split(",");
      yield amounts.map((amount, at) => ({
        index: next + at,
        address: row.addresses.subarray(at * ADDRESS_BYTES, (at + 1) * ADDRESS_BYTES),
        amount: BigInt(amount),
      }));
      next += amounts.length;
    }
  };
