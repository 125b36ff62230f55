import type { ServiceContext } from "../kernel/context";
import { addressToBytes } from "../kernel/values/addresses";
import { toTimestamp } from "../kernel/values/batch-rows";
import { POINT_TYPES } from "../kernel/values/point-types";
import { shortestPoints } from "../kernel/values/points";
import type { ApprovalRule, ContractApprovals, ProposedRule } from "./console-schema";

/** A contract's rules in force and the changes that await another admin. */
export async function readApprovals(
  { db: { sql }, actor }: ServiceContext,
  input: { contractAddress: string },
): Promise<ContractApprovals> {
  const contract = addressToBytes(input.contractAddress);
  const [rules, proposed, [admins]] = await Promise.all([
    sql<ApprovalRule[]>`
      select point_type as "pointType", threshold, on_unusual as "onUnusual" from approval_rules
      where contract_address = ${contract}`,
    sql<ProposedRule[]>`
      select id, point_type as "pointType", threshold, on_unusual as "onUnusual", reason, proposed_by as "proposedBy",
        proposed_at as "proposedAt"
      from approval_rule_changes where contract_address = ${contract} and decision is null order by proposed_at, id`,
    sql<{ count: number }[]>`
      select count(*)::int as count from staff
      where role = 'admin' and disabled_at is null and 'staff:' || email <> ${actor}`,
  ]);
  const inForce = new Map(rules.map((rule) => [rule.pointType, rule]));
  return {
    rules: POINT_TYPES.map((pointType) =>
      shortened(inForce.get(pointType) ?? { pointType, threshold: null, onUnusual: false }),
    ),
    proposed: proposed.map((change) => ({
      ...shortened(change),
      proposedAt: toTimestamp(change.proposedAt),
    })),
    otherAdmins: admins!.count,
  };
}

const shortened = <Rule extends ApprovalRule>(rule: Rule): Rule => ({
  ...rule,
  threshold: rule.threshold && shortestPoints(rule.threshold),
});
