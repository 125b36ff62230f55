"use client";
import { useMutation } from "@tanstack/react-query";
import type { ContractChange, ProposedChange } from "@/server/approvals/console-schema";
import type { PointType } from "@/server/kernel/values/point-types";
import { fieldError, problemOf } from "../../../data/problem";
import { useTRPC } from "../../../data/trpc";
import { Choices } from "../../../ui/choices";
import { FormDialog } from "../../../ui/form-dialog";
import { AmountField, PointTypeChoice } from "./amount-field";
import { Change } from "./change";
import { KIND_WORDS } from "./change-words";
import type { ContractDialogProps } from "./dialog-props";
import { ReasonField, reasonOf } from "./reason-field";
import { useContractChange } from "./use-contract-change";
import { useProposal } from "./use-proposal";

export function ProposeRuleDialog({ contract, close }: ContractDialogProps) {
  const { propose } = useProposal(contract.address, close);
  const problem = propose.error && problemOf(propose.error);
  return (
    <FormDialog
      open
      onOpenChange={close}
      title="Propose an approval rule"
      description="Replaces the rule of one point type once another admin approves it. It then applies to new batches, and grants and changes of issuance and operator need a second admin too."
      problem={problem?.errors ? null : problem}
      busy={propose.isPending}
      submit="Propose rule"
      onSubmit={(form) =>
        propose.mutate({
          kind: "RULE",
          contractAddress: contract.address,
          pointType: String(form.get("type")) as PointType,
          threshold: String(form.get("threshold") ?? "").trim() || null,
          onUnusual: form.get("onUnusual") !== null,
          reason: reasonOf(form),
        })
      }
    >
      <PointTypeChoice />
      <AmountField
        label="Approval threshold"
        hint="Batches of this total or more need approval. Leave empty for no threshold."
        name="threshold"
        error={fieldError(problem, "threshold")}
      />
      <Choices
        legend="Review"
        name="onUnusual"
        kind="checkbox"
        options={[
          {
            value: "yes",
            label: "Also when the review finds something unusual",
            hint: "Every batch then waits for its review, usually a few seconds.",
          },
        ]}
        chosen={[]}
      />
      <ReasonField error={fieldError(problem, "reason")} />
    </FormDialog>
  );
}

/** What happens once a change is approved. */
const EFFECTS = {
  RULE: "It applies to batches submitted from now on.",
  GRANT: "The contract can send the points immediately. A grant cannot be undone.",
  ISSUANCE: "It applies to batches submitted from now on. Balances and pending batches do not change.",
  OPERATOR: "The tokens of the previous operator are revoked immediately.",
} as const satisfies Record<ContractChange["kind"], string>;

const DECISIONS = {
  approve: { verb: "Approve", done: "Change approved" },
  reject: { verb: "Reject", done: "Change rejected" },
  withdraw: { verb: "Withdraw", done: "Proposal withdrawn" },
} as const;

interface DecideChangeDialogProps extends ContractDialogProps {
  decision: keyof typeof DECISIONS;
  change: ProposedChange;
}

export function DecideChangeDialog({ contract, close, decision, change }: DecideChangeDialogProps) {
  const { verb, done } = DECISIONS[decision];
  const { approvals } = useTRPC().console;
  const decide = useMutation(approvals[decision].mutationOptions(useContractChange(close)(done)));
  const problem = decide.error && problemOf(decide.error);
  return (
    <FormDialog
      open
      onOpenChange={close}
      title={`${verb} this ${KIND_WORDS[change.kind]}?`}
      description={decision === "approve" ? EFFECTS[change.kind] : "Nothing changes."}
      problem={problem?.errors ? null : problem}
      busy={decide.isPending}
      submit={`${verb} ${KIND_WORDS[change.kind]}`}
      danger={decision === "reject"}
      onSubmit={(form) =>
        decide.mutate({ contractAddress: contract.address, changeId: change.id, reason: reasonOf(form) })
      }
    >
      <p className="wrap-anywhere rounded-control border border-line px-3 py-2 font-medium text-table">
        <Change change={change} issuance={contract.issuance} />
      </p>
      <ReasonField error={fieldError(problem, "reason")} />
    </FormDialog>
  );
}
