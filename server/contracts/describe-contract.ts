import { contractNotFound } from "@/server/ledger/accounts";
import type { ServiceContext } from "../kernel/context";
import { addressFromBytes, addressToBytes } from "../kernel/values/addresses";
import { toTimestamp } from "../kernel/values/batch-rows";
import { readBalances } from "../ledger/accounts";
import type { ConsoleContractDetail } from "./console-schema";

interface ContractRow extends Omit<ConsoleContractDetail, "address" | "operatorAddress" | "balances"> {
  address: Buffer;
  operatorAddress: Buffer | null;
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
      select c.address, c.label, c.issuance, c.operator_address as "operatorAddress", c.created_at as "createdAt",
        now() as now, coalesce(t.count, 0) as "operatorTokens"
      from contract c left join tokens t on t.operator_address = c.operator_address`,
    readBalances(ctx.db, address),
  ]);
  if (!row) throw contractNotFound(input.contractAddress);
  return {
    ...row,
    address: addressFromBytes(row.address),
    createdAt: toTimestamp(row.createdAt),
    balances,
    operatorAddress: row.operatorAddress && addressFromBytes(row.operatorAddress),
    now: toTimestamp(row.now),
  };
}
