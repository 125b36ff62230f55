import type { PointType } from "@/terms/batch-terms";
import { isPoints, parsePoints } from "@/terms/points";
import type { ApprovalRule } from "./schema";

const isInForce = ({ threshold, onUnusual, dayThreshold }: ApprovalRule) =>
  threshold !== null || dayThreshold !== null || onUnusual;

/** Whether a change of issuance or operator needs a second admin, as the trigger on contracts decides. */
export const changeNeedsSecondAdmin = (rules: readonly ApprovalRule[]): boolean => rules.some(isInForce);

/** As that trigger decides about a default wait. @param before null for the host's, which is its longest */
export const waitNeedsSecondAdmin = (
  rules: readonly ApprovalRule[],
  { before, seconds }: { before: number | null; seconds: number },
): boolean => rules.some(isInForce) && seconds < (before ?? Number.POSITIVE_INFINITY);

/** Decides as the statement that grants does. The amount may be incomplete while it is being typed. */
export function grantNeedsSecondAdmin(
  rules: readonly ApprovalRule[],
  grant: { pointType: PointType; points: string },
): boolean {
  const rule = rules.find(({ pointType }) => pointType === grant.pointType);
  if (!rule || !isInForce(rule)) return false;
  if (rule.threshold === null) return true;
  return isPoints(grant.points) && parsePoints(grant.points) >= parsePoints(rule.threshold);
}
