import type postgres from "postgres";
import { addressFromBytes } from "../kernel/values/addresses";

export interface ContractNow {
  issuance: "ON_DEMAND" | "PREFUNDED";
  operatorAddress: string | null;
}

/** What proposed changes are compared with. In a transaction it can be locked. */
export async function readContract(
  sql: postgres.Sql | postgres.TransactionSql,
  address: Buffer,
  { lock = false } = {},
): Promise<ContractNow | undefined> {
  const [row] = await sql<{ issuance: ContractNow["issuance"]; operator: Buffer | null }[]>`
    select issuance, operator_address as operator from contracts
    where address = ${address} ${lock ? sql`for update` : sql``}`;
  return row && { issuance: row.issuance, operatorAddress: row.operator && addressFromBytes(row.operator) };
}
