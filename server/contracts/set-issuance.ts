import {
  type ApprovedChange,
  appliedBy,
  contractNotFound,
  refuseWithoutSecondAdmin,
} from "@/server/ledger/accounts";
import { audited, contractTarget } from "../audit/audited";
import type { ServiceContext } from "../kernel/context";
import { addressToBytes } from "../kernel/values/addresses";
import type { Issuance } from "./register-contract";

/**
 * Sets where a contract's points come from for later submits. Its balance and pending batches do not change.
 * Under an approval rule this takes an approved change.
 * @throws DomainError `contract_not_found`, `not_allowed` when a second admin must approve it
 */
export async function setIssuance(
  ctx: ServiceContext,
  input: { contractAddress: string; issuance: Issuance },
  approved?: ApprovedChange,
): Promise<void> {
  const contract = addressToBytes(input.contractAddress);
  const sql = approved?.tx ?? ctx.db.sql;
  const detail = sql`jsonb_build_object('from', before::text, 'to', ${input.issuance}::text)`;
  const known = await sql`
    with known as materialized (
      select address, issuance from contracts where address = ${contract} for update
    ), changed as (
      update contracts c set issuance = ${input.issuance}::issuance ${appliedBy(sql, approved)}
      from known k
      where c.address = ${contract} and c.address = k.address and k.issuance <> ${input.issuance}::issuance
      returning k.issuance as before
    ), ${audited(ctx, { action: "contract.issuance", target: contractTarget(input.contractAddress), detail, of: "changed" })}
    select 1 from known`.catch(refuseWithoutSecondAdmin);
  if (known.length === 0) throw contractNotFound(input.contractAddress);
}
