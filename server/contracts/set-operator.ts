import {
  type ApprovedChange,
  appliedBy,
  contractNotFound,
  refuseWithoutSecondAdmin,
} from "@/server/ledger/accounts";
import { audited, contractTarget } from "../audit/audited";
import type { ServiceContext } from "../kernel/context";
import { addressToBytes } from "../kernel/values/addresses";

/**
 * Sets or removes the wallet that can sign in for a contract. The same statement revokes the tokens of previous
 * operators for good, even if one becomes the operator again. Under an approval rule this takes an approved change.
 * @throws DomainError `contract_not_found`, `not_allowed` when a second admin must approve it
 */
export async function setOperator(
  ctx: ServiceContext,
  input: { contractAddress: string; operatorAddress: string | null },
  approved?: ApprovedChange,
): Promise<void> {
  const contract = addressToBytes(input.contractAddress);
  const operator = input.operatorAddress === null ? null : addressToBytes(input.operatorAddress);
  const sql = approved?.tx ?? ctx.db.sql;
  const detail = sql`jsonb_build_object('operator', ${input.operatorAddress}::text)`;
  const changed = await sql`
    with changed as (
      update contracts set operator_address = ${operator}::bytea ${appliedBy(sql, approved)} where address = ${contract}
      returning address
    ), ended as (
      delete from operator_tokens t using changed c
      where t.contract_address = c.address and t.operator_address is distinct from ${operator}::bytea
    ), ${audited(ctx, { action: "contract.operator", target: contractTarget(input.contractAddress), detail, of: "changed" })}
    select 1 from changed`.catch(refuseWithoutSecondAdmin);
  if (changed.length === 0) throw contractNotFound(input.contractAddress);
}
