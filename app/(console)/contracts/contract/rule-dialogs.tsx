"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ProposedRule } from "@/server/approvals/console-schema";
import { POINT_TYPES, type PointType } from "@/server/kernel/values/point-types";
import { fieldError, problemOf } from "../../../data/problem";
import { useTRPC } from "../../../data/trpc";
import { Choices } from "../../../ui/choices";
import { Field, Input, TextArea } from "../../../ui/field";
import { FormDialog } from "../../../ui/form-dialog";
import { notify } from "../../../ui/toast";
import { TYPE_LABELS } from "../../batches/status";
import type { ContractDialogProps } from "./dialog-props";

const REASON_CHARS_MAX = 500;

export function ProposeRuleDialog({ contract, close }: ContractDialogProps) {
  const propose = useMutation(
    useTRPC().console.approvals.propose.mutationOptions(useRuleChange(close)("Change proposed")),
  );
  const problem = propose.error && problemOf(propose.error);
  return (
    <FormDialog
      open
      onOpenChange={close}
      title="Propose an approval rule"
      description="Replaces the rule of one point type once another admin approves it. Applies to batches submitted from then on."
      problem={problem?.errors ? null : problem}
      busy={propose.isPending}
      submit="Propose change"
      onSubmit={(form) =>
        propose.mutate({
          contractAddress: contract.address,
          pointType: String(form.get("type")) as PointType,
          threshold: String(form.get("threshold") ?? "").trim() || null,
          onUnusual: form.get("onUnusual") !== null,
          reason: String(form.get("reason") ?? "").trim(),
        })
      }
    >
      <Choices
        legend="Point type"
        name="type"
        kind="radio"
        inline
        options={POINT_TYPES.map((type) => ({ value: type, label: TYPE_LABELS[type] }))}
        chosen={["PHASE2_POINTS"]}
      />
      <Field
        label="Approval threshold"
        hint="Batches of this total or more need approval. Leave empty for no threshold."
        error={fieldError(problem, "threshold")}
      >
        {(control) => (
          <Input
            {...control}
            name="threshold"
            inputMode="decimal"
            autoComplete="off"
            autoFocus
            className="tabular-nums"
          />
        )}
      </Field>
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
      <Reason error={fieldError(problem, "reason")} />
    </FormDialog>
  );
}

const DECISIONS = {
  approve: {
    title: "Approve this rule?",
    submit: "Approve rule",
    done: "Rule approved",
    description: "It applies to batches submitted from now on.",
  },
  reject: {
    title: "Reject this rule?",
    submit: "Reject rule",
    done: "Rule rejected",
    description: "The rule in force stays as it is.",
  },
  withdraw: {
    title: "Withdraw your proposal?",
    submit: "Withdraw proposal",
    done: "Proposal withdrawn",
    description: "The rule in force stays as it is.",
  },
} as const;

interface DecideRuleDialogProps extends ContractDialogProps {
  decision: keyof typeof DECISIONS;
  change: ProposedRule;
}

export function DecideRuleDialog({ contract, close, decision, change }: DecideRuleDialogProps) {
  const { title, submit, done, description } = DECISIONS[decision];
  const { approvals } = useTRPC().console;
  const decide = useMutation(approvals[decision].mutationOptions(useRuleChange(close)(done)));
  const problem = decide.error && problemOf(decide.error);
  return (
    <FormDialog
      open
      onOpenChange={close}
      title={title}
      description={description}
      problem={problem?.errors ? null : problem}
      busy={decide.isPending}
      submit={submit}
      danger={decision === "reject"}
      onSubmit={(form) =>
        decide.mutate({
          contractAddress: contract.address,
          changeId: change.id,
          reason: String(form.get("reason") ?? "").trim(),
        })
      }
    >
      <Reason error={fieldError(problem, "reason")} />
    </FormDialog>
  );
}

const Reason = ({ error }: { error: string | undefined }) => (
  <Field label="Reason" hint="Required. Shown in the audit log." error={error}>
    {(control) => <TextArea {...control} name="reason" rows={3} maxLength={REASON_CHARS_MAX} />}
  </Field>
);

/** After every change: a notice, the dialog closed, and the rules read again. */
function useRuleChange(close: () => void) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return (message: string) => ({
    onSuccess: () => {
      notify("success", message);
      close();
    },
    onSettled: () => queryClient.invalidateQueries(trpc.console.approvals.pathFilter()),
  });
}
