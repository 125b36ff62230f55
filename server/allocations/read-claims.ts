import type { Sql, TransactionSql } from "postgres";
import type { Claim, ReadClaims } from "@/terms/claims/claim-tree";
import { DomainError } from "@/terms/problems";

const ADDRESS_BYTES = 20;

/** `amounts` is the text of a Postgres array. */
type PackedClaims = { addresses: Buffer; amounts: string };

/** The claims of a packed row, of which the first has this index. */
const claimsIn = ({ addresses, amounts }: PackedClaims, first: number): Claim[] =>
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

/**
 * The claims of an allocation as they are stored, a packed row at a time.
 * @param id its UUID as 16 bytes
 * @param count how many it has; rows beyond are not its own
 * @throws DomainError `allocation_not_found` when it is deleted meanwhile, so no file is short
 */
export const readClaims = (sql: Sql | TransactionSql, id: Buffer, count: number): ReadClaims =>
  async function* read() {
    for (let next = 0; next < count; ) {
      const [row] = await sql<PackedClaims[]>`
        select addresses, amounts::text from allocation_claims
        where allocation_id = ${id} and first_index = ${next}::int`;
      if (!row) throw await missing(sql, id, `claim ${next} of ${count}`);
      const claims = claimsIn(row, next);
      next += claims.length;
      yield claims;
    }
  };
