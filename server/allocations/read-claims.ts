import type { Sql, TransactionSql } from "postgres";
import type { Claim, ReadClaims } from "@/terms/claims/claim-tree";
import { DomainError } from "@/terms/problems";

const ADDRESS_BYTES = 20;
/** A database may be some milliseconds away. */
const ROWS_AT_ONCE = 32;

/** `first` is the index of the first claim, and `amounts` the text of a Postgres array. */
type PackedClaims = { first: number; addresses: Buffer; amounts: string };

const claimsIn = ({ first, addresses, amounts }: PackedClaims): Claim[] =>
  amounts
    .slice(1, -1)
    .split(",")
    .map((amount, at) => ({
      index: first + at,
      address: addresses.subarray(at * ADDRESS_BYTES, (at + 1) * ADDRESS_BYTES),
      amount: BigInt(amount),
    }));

export class PartMissingError extends Error {
  override name = "PartMissingError";
}

/** Why a part is not there: an allocation can be deleted until it is published. */
export async function missing(sql: Sql | TransactionSql, id: Buffer, part: string): Promise<Error> {
  const kept = await sql`select 1 from allocations where id = encode(${id}::bytea, 'hex')::uuid`;
  return kept.length > 0
    ? new PartMissingError(`${part} is not stored`)
    : new DomainError("allocation_not_found", "The allocation was deleted while its claims were read.");
}

/** How many are stored. All are, or none: one statement stores them. */
export async function countClaims(sql: Sql, id: Buffer): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select coalesce(max(first_index + cardinality(amounts)), 0)::int as count from allocation_claims
    where allocation_id = ${id}`;
  return row.count;
}

/**
 * The claims of an allocation as they are stored, a packed row at a time.
 * @param id its UUID as 16 bytes
 * @param count how many it has; rows beyond are not its own
 * @throws DomainError `allocation_not_found` when it is deleted meanwhile, so no file is short
 */
export const readClaims = (sql: Sql | TransactionSql, id: Buffer, count: number): ReadClaims =>
  async function* read() {
    for (let next = 0; next < count; ) {
      const rows = await sql<PackedClaims[]>`
        select first_index as first, addresses, amounts::text from allocation_claims
        where allocation_id = ${id} and first_index >= ${next}::int and first_index < ${count}::int
        order by first_index limit ${ROWS_AT_ONCE}`;
      if (rows[0]?.first !== next) throw await missing(sql, id, `claim ${next} of ${count}`);
      for (const row of rows) {
        if (row.first !== next) break;
        const claims = claimsIn(row);
        next += claims.length;
        yield claims;
      }
    }
  };
