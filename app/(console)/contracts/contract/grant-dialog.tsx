"use client";
import { useMutation } from "@tanstack/react-query";
import { POINT_TYPES, type PointType } from "@/server/ledger/point-types";
import { fieldFault, problemOf } from "../../../data/problem";
import { useTRPC } from "../../../data/trpc";
import { formatAmount } from "../../../ui/amount";
import { Choices } from "../../../ui/choices";
import { Field, Input } from "../../../ui/field";
import { FormDialog } from "../../../ui/form-dialog";
import { TYPE_WORDS } from "../../batches/status";
import type { ContractDialogProps } from "./dialogs";
import { useContractChange } from "./use-contract-change";

export function GrantDialog({ contract, close }: ContractDialogProps) {
  const changed = useContractChange(close);
  const grant = useMutation(
    useTRPC().console.contracts.grant.mutationOptions(changed("The points are granted.")),
  );
  const problem = grant.error && problemOf(grant.error);
  // Whether it was granted is not known when no answer came: a second try could grant twice.
  const unsure = problem && (problem.status === undefined || problem.status >= 500);
  return (
    <FormDialog
      open
      onOpenChange={close}
      title="Grant points"
      description={
        <>
          {contract.label} can send them at once. A grant cannot be taken back. It has{" "}
          {POINT_TYPES.map(
            (type) => `${formatAmount(contract.balances[type].available)} ${TYPE_WORDS[type]}`,
          ).join(" and ")}{" "}
          available.
        </>
      }
      problem={
        unsure
          ? {
              ...problem,
              detail: `${problem.detail} The grant may have been made: look at the list of grants before you try again.`,
            }
          : problem?.errors
            ? null
            : problem
      }
      busy={grant.isPending}
      submit="Grant points"
      onSubmit={(form) =>
        grant.mutate({
          contractAddress: contract.address,
          pointType: String(form.get("type")) as PointType,
          points: String(form.get("points") ?? "").trim(),
        })
      }
    >
      <Choices
        legend="Point type"
        name="type"
        kind="radio"
        inline
        options={POINT_TYPES.map((type) => ({ value: type, label: TYPE_WORDS[type] }))}
        chosen={["PHASE2_POINTS"]}
      />
      <Field
        label="Amount"
        hint="A plain decimal number such as 1000 or 0.5."
        error={fieldFault(problem, "points")}
      >
        {(control) => (
          <Input
            {...control}
            name="points"
            inputMode="decimal"
            autoComplete="off"
            autoFocus
            className="tabular-nums"
          />
        )}
      </Field>
    </FormDialog>
  );
}
