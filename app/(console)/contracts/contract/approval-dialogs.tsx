"use client";
import { useMutation } from "@tanstack/react-query";
import type { ContractChange, ProposedChange } from "@/server/approvals/console-schema";
import { useTRPC } from "../../../data/trpc";
import { Choices } from "../../../ui/choices";
import { textOf } from "../../../ui/field";
import { ChangeDialog } from "../../../ui/form-dialog";
import { Change, KIND_NAMES } from "./change";
import { type ContractDialogProps, useContractChange } from "./contract-dialog";
import { AmountField, PointTypeChoice, pointTypeOf, ReasonField } from "./fields";
import { useProposal } from "./guarded-dialogs";

export function ProposeRuleDialog({ contract, close }: ContractDialogProps) {
  const { propose } = useProposal(contract.address, close);
  return (
    <ChangeDialog
      change={propose}
      close={close}
      title="Propose an approval rule"
      description="Once another admin approves it, this rule replaces the current one for the point type. It applies to new batches. Grants and changes of issuance and operator then need a second admin too."
      submit="Propose rule"
      onSubmit={(form) =>
        propose.mutate({
          kind: "RULE",
          contractAddress: contract.address,
          pointType: pointTypeOf(form),
          threshold: textOf(form, "threshold") || null,
          dayThreshold: textOf(form, "dayThreshold") || null,
          onUnusual: form.get("onUnusual") !== null,
          reason: textOf(form, "reason"),
        })
      }
    >
      {(errorOf) => (
        <>
          <PointTypeChoice />
          <AmountField
            label="Approval threshold"
            hint="Batches of this total or more need approval. Leave empty for no threshold."
            name="threshold"
            error={errorOf("threshold")}
          />
          <AmountField
            label="Daily threshold"
            hint="From this sum of a UTC day on, smaller batches need approval too. Leave empty for none."
            name="dayThreshold"
            autoFocus={false}
            error={errorOf("dayThreshold")}
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
          <ReasonField error={errorOf("reason")} />
        </>
      )}
    </ChangeDialog>
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
  const name = KIND_NAMES[change.kind];
  return (
    <ChangeDialog
      change={decide}
      close={close}
      title={`${verb} this ${name}?`}
      description={decision === "approve" ? EFFECTS[change.kind] : "Nothing changes."}
      submit={`${verb} ${name}`}
      danger={decision === "reject"}
      onSubmit={(form) =>
        decide.mutate({
          contractAddress: contract.address,
          changeId: change.id,
          reason: textOf(form, "reason"),
        })
      }
    >
      {(errorOf) => (
        <>
          <p className="wrap-anywhere rounded-control border border-line px-3 py-2 font-medium text-table">
            <Change change={change} issuance={contract.issuance} />
          </p>
          <ReasonField error={errorOf("reason")} />
        </>
      )}
    </ChangeDialog>
  );
}
