import type { ContractChange } from "@/server/approvals/console-schema";
import type { Issuance } from "@/server/contracts/register-contract";
import { formatAmount } from "../../../ui/amount";
import { TYPE_LABELS } from "../../batches/status";
import { ISSUANCE_LABELS } from "../issuance-words";
import { ruleWords } from "./change-words";

/** What a proposal changes, with addresses in full, since somebody must compare them. */
export function Change({ change, issuance }: { change: ContractChange; issuance: Issuance }) {
  switch (change.kind) {
    case "RULE":
      return `Rule for ${TYPE_LABELS[change.pointType]}: ${ruleWords(change)}`;
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
