import type { ServiceContext } from "../context";
import { readBalances } from "../ledger/accounts";
import { addressFromBytes, addressToBytes } from "../ledger/addresses";
import type { ConsoleContractDetail } from "./console-schema";
import { contractNotFound } from "./contract-not-found";

interface ContractRow {
  address: Buffer;
  label: string;
  issuance: "ON_DEMAND" | "PREFUNDED";
  operator_address: Buffer | null;
  operator_tokens: number;
  created_at: string;
  now: string;
}

/** A contract as its console page shows it. @throws DomainError `contract_not_found` */
export async function describeContract(
  ctx: ServiceContext,
  input: { contractAddress: string },
): Promise<ConsoleContractDetail> {
  const address = addressToBytes(input.contractAddress);
  const [[row], balances] = await Promise.all([
    ctx.db.sql<ContractRow[]>`
      select c.address, c.label, c.issuance, c.operator_address, c.created_at, now() as now,
        (select count(*)::int from operator_tokens t where t.contract_address = c.address
          and t.operator_address = c.operator_address and t.expires_at > now()) as operator_tokens
      from contracts c where c.address = ${address}`,
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
