import type { ApprovalRule, ContractChange } from "@/server/approvals/console-schema";
import { formatAmount } from "../../../ui/amount";
import { TYPE_LABELS } from "../../batches/status";

export function ruleWords({ threshold, onUnusual, pointType }: ApprovalRule): string {
  const amount = threshold && `batches of ${formatAmount(threshold)} ${TYPE_LABELS[pointType]} or more`;
  const unusual = onUnusual && "batches whose review finds something unusual";
  const needs = [amount, unusual].filter(Boolean).join(", and ");
  return needs ? needs.charAt(0).toUpperCase() + needs.slice(1) : "No approval needed";
}

/** For titles and buttons: "Approve this grant?" */
export const KIND_WORDS = {
  RULE: "rule",
  GRANT: "grant",
  ISSUANCE: "issuance change",
  OPERATOR: "operator change",
} as const satisfies Record<ContractChange["kind"], string>;
