import type { ServiceContext } from "../kernel/context";
import { addressToBytes } from "../kernel/values/addresses";
import { contractNotFound } from "../ledger/contract-not-found";

/** Changes the label of a contract. @throws DomainError `contract_not_found` */
export async function renameContract(
  ctx: ServiceContext,
  input: { contractAddress: string; label: string },
): Promise<void> {
  const contract = addressToBytes(input.contractAddress);
  const [row] = await ctx.db.sql`
    with named as materialized (
      select address, label from contracts where address = ${contract} for update
    ), renamed as (
      update contracts c set label = ${input.label} from named n
      where c.address = ${contract} and c.address = n.address and n.label <> ${input.label}
      returning n.label as before
    ), audited as (
      insert into audit_log (actor, action, target, detail, request_id)
      select ${ctx.actor}, 'contract.rename', ${`contract:${input.contractAddress.toLowerCase()}`},
        jsonb_build_object('from', before, 'to', ${input.label}::text), ${ctx.requestId}
      from renamed
    )
    select 1 from named`;
  if (!row) throw contractNotFound(input.contractAddress);
}
