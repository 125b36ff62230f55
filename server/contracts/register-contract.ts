import { audited, contractTarget } from "../audit/audited";
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
  const { sql } = ctx.db;
  const detail = sql`jsonb_build_object('label', ${input.label}::text, 'issuance', ${input.issuance}::text)`;
  const [row] = await sql`
    with registered as (
      insert into contracts (address, label, operator_address, issuance)
      values (${address}, ${input.label}, ${operator}, ${input.issuance}::issuance)
      on conflict (address) do nothing returning address
    ), opened as (
      insert into accounts (address, point_type)
      select address, unnest(enum_range(null::point_type)) from registered
      on conflict (address, point_type) do nothing
    ), ${audited(ctx, { action: "contract.create", target: contractTarget(input.address), detail, of: "registered" })}
    select 1 from registered`;
  if (!row)
    throw new DomainError("validation_failed", `The contract ${input.address} is already registered.`);
}
