import { v7 as uuidv7 } from "uuid";
import type { ServiceContext } from "../kernel/context";
import { addressToBytes } from "../kernel/values/addresses";
import { formatPoints, parsePoints } from "../kernel/values/points";
import { DomainError } from "../kernel/values/problems";
import { contractNotFound } from "../ledger/contract-not-found";
import type { ProposeRuleInput } from "./console-schema";

/**
 * Proposes a rule for one point type of a contract. Another admin must approve it, even if it only loosens the rule in force.
 * @throws DomainError `contract_not_found`, `validation_failed` when another proposal is open
 */
export async function proposeRule(
  ctx: ServiceContext,
  input: ProposeRuleInput,
): Promise<{ changeId: string }> {
  const contract = addressToBytes(input.contractAddress);
  const changeId = uuidv7();
  const threshold = input.threshold && formatPoints(parsePoints(input.threshold));
  const detail = { pointType: input.pointType, threshold, onUnusual: input.onUnusual, reason: input.reason };
  const proposed = await ctx.db.sql`
    with proposed as (
      insert into approval_rule_changes (contract_address, id, point_type, threshold, on_unusual, reason, proposed_by)
      select c.address, ${changeId}::uuid, ${input.pointType}::point_type, ${threshold}::text::numeric,
        ${input.onUnusual}::boolean, ${input.reason}, ${ctx.actor}
      from contracts c where c.address = ${contract}
      on conflict (contract_address, point_type) where decision is null do nothing
      returning 1
    ), audited as (
      insert into audit_log (actor, action, target, detail, request_id)
      select ${ctx.actor}, 'rule.propose', ${`contract:${input.contractAddress.toLowerCase()}`},
        ${JSON.stringify(detail)}::text::jsonb, ${ctx.requestId}
      from proposed
    )
    select 1 from proposed`;
  if (proposed.length === 1) return { changeId };
  const known = await ctx.db.sql`select 1 from contracts where address = ${contract}`;
  throw known.length === 0
    ? contractNotFound(input.contractAddress)
    : new DomainError(
        "validation_failed",
        "Another change of this rule is already proposed. Approve, reject or withdraw it first.",
      );
}
