import type { ApprovalRule, ContractChange } from "@/server/approvals/console-schema";
import type { Issuance } from "@/server/contracts/register-contract";
import { formatAmount } from "../../../ui/amount";
import { TYPE_LABELS } from "../../batches/status";
import { ISSUANCE_LABELS } from "../issuance";

/** What a proposal changes. Addresses are in full, so that approvers can compare them. */
export function Change({ change, issuance }: { change: ContractChange; issuance: Issuance }) {
  switch (change.kind) {
    case "RULE":
      return `Rule for ${TYPE_LABELS[change.pointType]}: ${ruleText(change)}`;
    case "GRANT":
      return `Grant of ${formatAmount(change.points)} ${TYPE_LABELS[change.pointType]}`;
    case "ISSUANCE":
      return `Issuance from ${ISSUANCE_LABELS[issuance]} to ${ISSUANCE_LABELS[change.issuance]}`;
    case "OPERATOR":
      return (
        <>
          Operator{" "}
          <span className="block">
            from <Operator address={change.operatorBefore} />
          </span>{" "}
          <span className="block">
            to <Operator address={change.operatorAddress} />
          </span>
        </>
      );
  }
}

const Operator = ({ address }: { address: string | null }) =>
  address ? <span className="break-all font-mono text-mono">{address}</span> : "none";

export function ruleText({ threshold, dayThreshold, onUnusual, pointType }: ApprovalRule): string {
  const amount = threshold && `batches of ${formatAmount(threshold)} ${TYPE_LABELS[pointType]} or more`;
  const day = dayThreshold && `batches that bring a day’s sum to ${formatAmount(dayThreshold)} or more`;
  const unusual = onUnusual && "batches whose review finds something unusual";
  const needs = [amount, day, unusual].filter(Boolean).join(", and ");
  return needs ? needs.charAt(0).toUpperCase() + needs.slice(1) : "No approval needed";
}

/** For titles and buttons: "Approve this grant?" */
export const KIND_NAMES = {
  RULE: "rule",
  GRANT: "grant",
  ISSUANCE: "issuance change",
  OPERATOR: "operator change",
} as const satisfies Record<ContractChange["kind"], string>;
