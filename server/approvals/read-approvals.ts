import { POINT_TYPES } from "@/server/kernel/values/batch-terms";
import type { ServiceContext } from "../kernel/context";
import { addressToBytes } from "../kernel/values/addresses";
import { toTimestamp } from "../kernel/values/batch-rows";
import { shortestPoints } from "../kernel/values/points";
import { type ChangeRow, toChange } from "./changes";
import type { ApprovalRule, ContractApprovals } from "./schema";

type ProposedRow = ChangeRow & { id: string; reason: string; proposed_by: string; proposed_at: string };

const NO_RULE = { threshold: null, onUnusual: false, dayThreshold: null };

/** A contract's rules in force and the changes that await another admin. */
export async function readApprovals(
  { db: { sql }, actor }: ServiceContext,
  input: { contractAddress: string },
): Promise<ContractApprovals> {
  const contract = addressToBytes(input.contractAddress);
  const [rules, proposed, [admins]] = await Promise.all([
    sql<ApprovalRule[]>`
      select point_type as "pointType", threshold, on_unusual as "onUnusual", day_threshold as "dayThreshold" from approval_rules
      where contract_address = ${contract}`,
    sql<ProposedRow[]>`
      select id, kind, point_type, threshold, on_unusual, day_threshold, points, issuance, operator_address, operator_before, reason,
        proposed_by, proposed_at
      from contract_changes where contract_address = ${contract} and decision is null order by proposed_at, id`,
    sql<{ count: number }[]>`
      select count(*)::int as count from staff
      where role = 'admin' and disabled_at is null and unconfirmed_by = '{}' and 'staff:' || email <> ${actor}`,
  ]);
  const inForce = new Map(rules.map((rule) => [rule.pointType, rule]));
  return {
    rules: POINT_TYPES.map((pointType) => {
      const { threshold, onUnusual, dayThreshold } = inForce.get(pointType) ?? NO_RULE;
      return {
        pointType,
        threshold: threshold && shortestPoints(threshold),
        onUnusual,
        dayThreshold: dayThreshold && shortestPoints(dayThreshold),
      };
    }),
    proposed: proposed.map((row) => ({
      ...toChange(row),
      id: row.id,
      reason: row.reason,
      proposedBy: row.proposed_by,
      proposedAt: toTimestamp(row.proposed_at),
    })),
    otherAdmins: admins!.count,
  };
}
