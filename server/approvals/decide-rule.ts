import type { AuditAction } from "../audit/actions";
import type { ServiceContext } from "../kernel/context";
import { addressToBytes } from "../kernel/values/addresses";
import { DomainError } from "../kernel/values/problems";
import type { DecideRuleInput } from "./console-schema";

const DECISIONS = {
  approve: { stored: "APPROVED", action: "rule.approve" },
  reject: { stored: "REJECTED", action: "rule.reject" },
  withdraw: { stored: "WITHDRAWN", action: "rule.withdraw" },
} as const satisfies Record<string, { stored: string; action: AuditAction }>;

type Decision = keyof typeof DECISIONS;

/**
 * Decides about a proposed rule. Another admin approves or rejects it, and only its proposer withdraws it. An approved rule
 * applies to batches submitted from then on.
 * @throws DomainError `not_found`, `not_allowed`, `validation_failed` when it has been decided
 */
export async function decideRule(
  ctx: ServiceContext,
  decision: Decision,
  input: DecideRuleInput,
): Promise<void> {
  const contract = addressToBytes(input.contractAddress);
  const { sql } = ctx.db;
  const { stored, action } = DECISIONS[decision];
  const allowed =
    decision === "withdraw" ? sql`r.proposed_by = ${ctx.actor}` : sql`r.proposed_by <> ${ctx.actor}`;
  const applied =
    decision === "approve"
      ? sql`, applied as (
          insert into approval_rules (contract_address, point_type, threshold, on_unusual)
          select c.address, d.point_type, d.threshold, d.on_unusual
          from decided d join contracts c on c.address = d.contract_address where c.address = ${contract}
          on conflict (contract_address, point_type) do update
            set threshold = excluded.threshold, on_unusual = excluded.on_unusual)`
      : sql``;
  const decided = await sql`
    with moment as materialized (select clock_timestamp() as at), decided as (
      update approval_rule_changes r set decision = ${stored}, decided_at = moment.at,
        decided_by = ${ctx.actor}, decision_reason = ${input.reason}
      from moment
      where r.contract_address = ${contract} and r.id = ${input.changeId}::uuid and r.decision is null and ${allowed}
      returning r.contract_address, r.point_type, r.threshold, r.on_unusual
    ) ${applied}, audited as (
      insert into audit_log (actor, action, target, detail, request_id)
      select ${ctx.actor}, ${action}, ${`contract:${input.contractAddress.toLowerCase()}`},
        jsonb_build_object('pointType', point_type::text, 'threshold', trim_scale(threshold)::text, 'onUnusual', on_unusual,
          'reason', ${input.reason}::text), ${ctx.requestId}
      from decided
    )
    select 1 from decided`;
  if (decided.length === 0) throw await notDecidable(ctx, decision, input);
}

async function notDecidable(
  ctx: ServiceContext,
  decision: Decision,
  { contractAddress, changeId }: DecideRuleInput,
): Promise<DomainError> {
  const [change] = await ctx.db.sql<{ decision: string | null; proposed_by: string }[]>`
    select decision, proposed_by from approval_rule_changes
    where contract_address = ${addressToBytes(contractAddress)} and id = ${changeId}::uuid`;
  if (!change) return new DomainError("not_found", "The contract has no proposed rule with this ID.");
  if (change.decision)
    return new DomainError("validation_failed", `It is already ${change.decision.toLowerCase()}.`);
  return new DomainError(
    "not_allowed",
    decision === "withdraw"
      ? `Only ${change.proposed_by} can withdraw it.`
      : "You proposed this rule. Another admin must approve or reject it.",
  );
}
