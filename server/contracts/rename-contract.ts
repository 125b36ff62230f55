import { contractNotFound } from "@/server/ledger/accounts";
import { audited, contractTarget } from "../audit/audited";
import type { ServiceContext } from "../kernel/context";
import { addressToBytes } from "../kernel/values/addresses";

/** Changes the label of a contract. @throws DomainError `contract_not_found` */
export async function renameContract(
  ctx: ServiceContext,
  input: { contractAddress: string; label: string },
): Promise<void> {
  const contract = addressToBytes(input.contractAddress);
  const { sql } = ctx.db;
  const detail = sql`jsonb_build_object('from', before, 'to', ${input.label}::text)`;
  const [row] = await sql`
    with named as materialized (
      select address, label from contracts where address = ${contract} for update
    ), renamed as (
      update contracts c set label = ${input.label} from named n
      where c.address = ${contract} and c.address = n.address and n.label <> ${input.label}
      returning n.label as before
    ), ${audited(ctx, { action: "contract.rename", target: contractTarget(input.contractAddress), detail, of: "renamed" })}
    select 1 from named`;
  if (!row) throw contractNotFound(input.contractAddress);
}
