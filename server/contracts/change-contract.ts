import type { Fragment } from "postgres";
import type { AuditAction } from "@/server/audit/actions";
import { audited, contractTarget } from "@/server/audit/audited";
import { addressToBytes } from "@/server/kernel/address-bytes";
import type { ServiceContext } from "@/server/kernel/context";
import { settings } from "@/server/kernel/settings";
import { invalid, invalidField } from "@/server/kernel/to-domain-error";
import {
  type ApprovedChange,
  appliedBy,
  contractNotFound,
  refuseWithoutSecondAdmin,
} from "@/server/ledger/accounts";
import type { RegisterContractInput } from "./schema";

export type Issuance = RegisterContractInput["issuance"];

/** Settling requires an account per point type. @throws DomainError `validation_failed` when registered */
export async function registerContract(ctx: ServiceContext, input: RegisterContractInput): Promise<void> {
  const address = addressToBytes(input.address);
  const operator = input.operatorAddress ? addressToBytes(input.operatorAddress) : null;
  const { sql } = ctx.db;
  const detail = sql`jsonb_build_object('label', ${input.label}::text, 'issuance', ${input.issuance}::text)`;
  const target = contractTarget(input.address);
  const [row] = await sql`
    with registered as (
      insert into contracts (address, label, operator_address, issuance)
      values (${address}, ${input.label}, ${operator}, ${input.issuance}::issuance)
      on conflict (address) do nothing returning address
    ), opened as (
      insert into accounts (address, point_type)
      select address, unnest(enum_range(null::point_type)) from registered
      on conflict (address, point_type) do nothing
    ), ${audited(ctx, { action: "contract.create", target, detail, of: "registered" })}
    select 1 from registered`;
  if (!row) throw invalid(`The contract ${input.address} is already registered.`);
}

type Column = "label" | "issuance" | "default_wait_seconds" | "key_required";

/** Sets one column, and audits it if that changed it. @throws DomainError `contract_not_found` */
async function setColumn(
  ctx: ServiceContext,
  contractAddress: string,
  { column, value, action }: { column: Column; value: Fragment; action: AuditAction },
  approved?: ApprovedChange,
): Promise<void> {
  const contract = addressToBytes(contractAddress);
  const sql = approved?.tx ?? ctx.db.sql;
  const detail = sql`jsonb_build_object('from', before, 'to', ${value})`;
  const target = contractTarget(contractAddress);
  const known = await sql`
    with known as materialized (
      select address, ${sql(column)} as before from contracts where address = ${contract} for update
    ), changed as (
      update contracts c set ${sql(column)} = ${value} ${appliedBy(sql, approved)} from known k
      where c.address = ${contract} and c.address = k.address and k.before is distinct from ${value}
      returning k.before
    ), ${audited(ctx, { action, target, detail, of: "changed" })}
    select 1 from known`.catch(refuseWithoutSecondAdmin);
  if (known.length === 0) throw contractNotFound(contractAddress);
}

/** Changes the label of a contract. @throws DomainError `contract_not_found` */
export async function renameContract(
  ctx: ServiceContext,
  { contractAddress, label }: { contractAddress: string; label: string },
): Promise<void> {
  const value = ctx.db.sql`${label}::text`;
  await setColumn(ctx, contractAddress, { column: "label", value, action: "contract.rename" });
}

/** Keeps balance and pending batches. @throws DomainError `contract_not_found`, `not_allowed` under a rule */
export async function setIssuance(
  ctx: ServiceContext,
  { contractAddress, issuance }: { contractAddress: string; issuance: Issuance },
  approved?: ApprovedChange,
): Promise<void> {
  const value = ctx.db.sql`${issuance}::issuance`;
  const change = { column: "issuance", value, action: "contract.issuance" } as const;
  await setColumn(ctx, contractAddress, change, approved);
}

/** @throws DomainError `validation_failed` outside the host's limits */
export function requirePossibleWait(seconds: number): void {
  const { MINIMUM_FINALIZE_SECONDS: least, DEFAULT_FINALIZE_SECONDS: most } = settings();
  if (seconds >= least && seconds <= most) return;
  const said = `must be from ${least} to ${most}`;
  throw invalidField(`The default wait ${said} seconds.`, "/seconds", said);
}

/**
 * The wait of batches that are submitted in the console, unless someone chooses another. Under an approval
 * rule a shorter one takes an approved change.
 * @throws DomainError `contract_not_found`, `validation_failed` outside the host's limits, `not_allowed`
 */
export async function setDefaultWait(
  ctx: ServiceContext,
  { contractAddress, seconds }: { contractAddress: string; seconds: number },
  approved?: ApprovedChange,
): Promise<void> {
  requirePossibleWait(seconds);
  const value = ctx.db.sql`${seconds}::int`;
  const change = { column: "default_wait_seconds", value, action: "contract.wait" } as const;
  await setColumn(ctx, contractAddress, change, approved);
}

/** No rule covers it, since it moves no points. @throws DomainError `contract_not_found` */
export async function setKeyRequired(
  ctx: ServiceContext,
  { contractAddress, required }: { contractAddress: string; required: boolean },
): Promise<void> {
  const value = ctx.db.sql`${required}::boolean`;
  await setColumn(ctx, contractAddress, { column: "key_required", value, action: "contract.key" });
}

/**
 * Sets or removes the wallet that can sign in for a contract. The same statement revokes the tokens of
 * previous operators for good, even if one returns. Under an approval rule this takes an approved change.
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
  const target = contractTarget(input.contractAddress);
  const changed = await sql`
    with changed as (
      update contracts set operator_address = ${operator}::bytea ${appliedBy(sql, approved)}
      where address = ${contract}
      returning address
    ), ended as (
      delete from operator_tokens t using changed c
      where t.contract_address = c.address and t.operator_address is distinct from ${operator}::bytea
    ), ${audited(ctx, { action: "contract.operator", target, detail, of: "changed" })}
    select 1 from changed`.catch(refuseWithoutSecondAdmin);
  if (changed.length === 0) throw contractNotFound(input.contractAddress);
}
