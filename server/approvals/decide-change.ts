import type postgres from "postgres";
import { type ApprovedChange, appliedBy } from "@/server/ledger/accounts";
import { grantPoints } from "@/server/ledger/issuances";
import type { AuditAction } from "../audit/actions";
import { contractTarget } from "../audit/audited";
import { setIssuance, setOperator } from "../contracts/change-contract";
import type { ServiceContext } from "../kernel/context";
import { addressToBytes } from "../kernel/values/addresses";
import { DomainError } from "../kernel/values/problems";
import { secondPersonObstacle } from "../staff/second-person";
import { type ChangeRow, toChange } from "./change-rows";
import type { ApprovalRule, ContractChange, DecideChangeInput } from "./console-schema";
import { obstacleTo, readContract } from "./read-contract";

const DECISIONS = {
  approve: { stored: "APPROVED", action: "change.approve" },
  reject: { stored: "REJECTED", action: "change.reject" },
  withdraw: { stored: "WITHDRAWN", action: "change.withdraw" },
} as const satisfies Record<string, { stored: string; action: AuditAction }>;

type Decision = keyof typeof DECISIONS;

/**
 * Approves, rejects or withdraws a proposed change. Only another admin can approve or reject it, and only its proposer can
 * withdraw it. Approving applies it in the same transaction; if that is not possible, the change stays proposed.
 * @throws DomainError `not_found`, `not_allowed`, `validation_failed` when it has been decided or is no longer possible
 */
export async function decideChange(
  ctx: ServiceContext,
  decision: Decision,
  input: DecideChangeInput,
): Promise<void> {
  const address = addressToBytes(input.contractAddress);
  const { stored, action } = DECISIONS[decision];
  await ctx.db.sql.begin(async (tx) => {
    // All that an approval rule covers locks the contract first, so that a rule and such a change always see each other.
    const contract = await readContract(tx, address, { lock: true });
    const allowed =
      decision === "withdraw" ? tx`r.proposed_by = ${ctx.actor}` : tx`r.proposed_by <> ${ctx.actor}`;
    const [decided] = await tx<(ChangeRow & { proposed_by: string; effect: string; decided_at: string })[]>`
      with moment as materialized (
        select greatest(clock_timestamp(), c.applied_at + interval '1 millisecond') as at
        from contracts c where c.address = ${address}
      )
      update contract_changes r set decision = ${stored}, decided_at = moment.at, decided_by = ${ctx.actor},
        decision_reason = ${input.reason}
      from moment
      where r.contract_address = ${address} and r.id = ${input.changeId}::uuid and r.decision is null and ${allowed}
      returning r.kind, r.point_type, r.threshold, r.on_unusual, r.day_threshold, r.points, r.issuance, r.operator_address,
        r.operator_before, r.proposed_by, r.effect, r.decided_at::text`;
    if (!contract || !decided) throw await notDecidable(tx, decision, input);
    const obstacle =
      decision !== "withdraw" && (await secondPersonObstacle(tx, ctx.actor, decided.proposed_by));
    if (obstacle) throw new DomainError("not_allowed", obstacle);
    const change = toChange(decided);
    await tx`
      insert into audit_log (actor, action, target, detail, request_id)
      values (${ctx.actor}, ${action}, ${contractTarget(input.contractAddress)},
        ${JSON.stringify({ ...change, reason: input.reason })}::text::jsonb, ${ctx.requestId})`;
    if (decision !== "approve") return;
    const outdated = obstacleTo(change, contract);
    if (outdated) throw new DomainError("validation_failed", `${outdated} Reject the proposal.`);
    await apply(ctx, input.contractAddress, change, {
      tx,
      id: input.changeId,
      effect: decided.effect,
      decidedAt: decided.decided_at,
      proposedBy: decided.proposed_by,
    });
  });
}

async function apply(
  ctx: ServiceContext,
  contractAddress: string,
  change: ContractChange,
  approved: ApprovedChange,
): Promise<void> {
  switch (change.kind) {
    case "RULE":
      return await setRule(contractAddress, change, approved);
    case "GRANT":
      return await grantPoints(ctx, { ...change, contractAddress }, approved);
    case "ISSUANCE":
      return await setIssuance(ctx, { ...change, contractAddress }, approved);
    case "OPERATOR":
      return await setOperator(ctx, { ...change, contractAddress }, approved);
  }
}

/** Applies to batches submitted from then on. */
async function setRule(contractAddress: string, rule: ApprovalRule, approved: ApprovedChange): Promise<void> {
  const { tx } = approved;
  const address = addressToBytes(contractAddress);
  await tx`
    insert into approval_rules (contract_address, point_type, threshold, on_unusual, day_threshold, applied_change_id,
      applied_effect, applied_at)
    values (${address}, ${rule.pointType}::point_type, ${rule.threshold}::text::numeric, ${rule.onUnusual}::boolean,
      ${rule.dayThreshold}::text::numeric, ${approved.id}::uuid, ${approved.effect}, ${approved.decidedAt}::timestamptz)
    on conflict (contract_address, point_type) do update
      set threshold = excluded.threshold, on_unusual = excluded.on_unusual, day_threshold = excluded.day_threshold,
        applied_change_id = excluded.applied_change_id, applied_effect = excluded.applied_effect,
        applied_at = excluded.applied_at`;
  const inForce = await tx`
    select 1 from approval_rules where contract_address = ${address} and (threshold is not null or on_unusual or day_threshold is not null)`;
  await tx`
    update contracts set approval_required = ${inForce.length > 0}::boolean ${appliedBy(tx, approved)}
    where address = ${address}`;
}

async function notDecidable(
  tx: postgres.TransactionSql,
  decision: Decision,
  { contractAddress, changeId }: DecideChangeInput,
): Promise<DomainError> {
  const [change] = await tx<{ decision: string | null; proposed_by: string }[]>`
    select decision, proposed_by from contract_changes
    where contract_address = ${addressToBytes(contractAddress)} and id = ${changeId}::uuid`;
  if (!change) return new DomainError("not_found", "The contract has no proposed change with this ID.");
  if (change.decision)
    return new DomainError("validation_failed", `This change is already ${change.decision.toLowerCase()}.`);
  return new DomainError(
    "not_allowed",
    decision === "withdraw"
      ? `Only ${change.proposed_by.replace(/^staff:/, "")} can withdraw it.`
      : "You proposed this change. Another admin must approve or reject it.",
  );
}
