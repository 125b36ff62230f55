import type { ISql } from "postgres";
import type { Link } from "./link";

/** Links in order, from a day or from the first one. */
export async function readLinks(sql: ISql, from: string | null, limit: number): Promise<Link[]> {
  return await sql<Link[]>`
    select day::text, encode(previous_hash, 'hex') as "previousHash", totals, encode(hash, 'hex') as hash
    from ledger_days where ${from === null ? sql`true` : sql`day >= ${from}::date`} order by ledger_days.day limit ${limit}`;
}
