import type { ServiceContext } from "../kernel/context";
import { addressFromBytes, addressToBytes } from "../kernel/values/addresses";
import { readBalances } from "../ledger/accounts";
import { contractNotFound } from "../ledger/contract-not-found";
import type { ConsoleContractDetail } from "./console-schema";

interface ContractRow {
  address: Buffer;
  label: string;
  issuance: "ON_DEMAND" | "PREFUNDED";
  operator_address: Buffer | null;
  operator_tokens: number;
  created_at: string;
  now: string;
}

/** A contract for its console page. @throws DomainError `contract_not_found` */
export async function describeContract(
  ctx: ServiceContext,
  input: { contractAddress: string },
): Promise<ConsoleContractDetail> {
  const address = addressToBytes(input.contractAddress);
  const [[row], balances] = await Promise.all([
    ctx.db.sql<ContractRow[]>`
      with tokens as materialized (
        select operator_address, count(*)::int as count from operator_tokens
        where contract_address = ${address} and expires_at > now() group by operator_address
      ), contract as materialized (
        select address, label, issuance, operator_address, created_at from contracts where address = ${address}
      )
      select c.*, now() as now, coalesce(t.count, 0) as operator_tokens
      from contract c left join tokens t on t.operator_address = c.operator_address`,
    readBalances(ctx.db, address),
  ]);
  if (!row) throw contractNotFound(input.contractAddress);
  return {
    address: addressFromBytes(row.address),
    label: row.label,
    issuance: row.issuance,
    createdAt: new Date(row.created_at).toISOString(),
    balances,
    operatorAddress: row.operator_address && addressFromBytes(row.operator_address),
    operatorTokens: row.operator_tokens,
    now: new Date(row.now).toISOString(),
  };
}
