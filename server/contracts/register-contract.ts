import type { ServiceContext } from "../kernel/context";
import { addressToBytes } from "../kernel/values/addresses";
import { DomainError } from "../kernel/values/problems";

export type Issuance = "ON_DEMAND" | "PREFUNDED";

export interface NewContract {
  address: string;
  label: string;
  operatorAddress: string | null;
  issuance: Issuance;
}

/** Registers a contract with one account per point type, which settling requires. @throws DomainError `validation_failed` when already registered */
export async function registerContract(ctx: ServiceContext, input: NewContract): Promise<void> {
  const address = addressToBytes(input.address);
  const operator = input.operatorAddress ? addressToBytes(input.operatorAddress) : null;
  const [row] = await ctx.db.sql`
    with registered as (
      insert into contracts (address, label, operator_address, issuance)
      values (${address}, ${input.label}, ${operator}, ${input.issuance}::issuance)
      on conflict (address) do nothing returning address
    ), opened as (
      insert into accounts (address, point_type)
      select address, unnest(enum_range(null::point_type)) from registered
      on conflict (address, point_type) do nothing
    ), audited as (
      insert into audit_log (actor, action, target, detail, request_id)
      select ${ctx.actor}, 'contract.create', ${`contract:${input.address.toLowerCase()}`},
        jsonb_build_object('label', ${input.label}::text, 'issuance', ${input.issuance}::text), ${ctx.requestId}
      from registered
    )
    select 1 from registered`;
  if (!row)
    throw new DomainError("validation_failed", `The contract ${input.address} is already registered.`);
}
