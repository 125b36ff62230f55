import type postgres from "postgres";
import type { Issuance } from "../contracts/register-contract";
import { addressFromBytes } from "../kernel/values/addresses";
import type { ContractChange } from "./console-schema";

export interface ContractNow {
  issuance: Issuance;
  operatorAddress: string | null;
}

/** The contract as it is now. In a transaction it can be locked. */
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

/** Why a change is not possible for the contract as it is now, or undefined. */
export function obstacleTo(change: ContractChange, contract: ContractNow): string | undefined {
  switch (change.kind) {
    case "RULE":
      return undefined;
    case "GRANT":
      return contract.issuance === "PREFUNDED"
        ? undefined
        : "The contract gets points on demand and needs no grants.";
    case "ISSUANCE":
      return contract.issuance === change.issuance
        ? `The contract's issuance is already ${change.issuance}.`
        : undefined;
    case "OPERATOR":
      if (contract.operatorAddress !== change.operatorBefore)
        return "The contract's operator was changed after this was proposed.";
      return contract.operatorAddress === change.operatorAddress
        ? "The contract already has this operator."
        : undefined;
  }
}
