"use client";
import { useMutation } from "@tanstack/react-query";
import { changeNeedsSecondAdmin } from "@/server/approvals/needs-second-admin";
import { fieldError, problemOf } from "../../../data/problem";
import { useTRPC } from "../../../data/trpc";
import { Field } from "../../../ui/field";
import { FormDialog } from "../../../ui/form-dialog";
import { AddressInput } from "../address-input";
import type { ContractDialogProps } from "./dialog-props";
import { reasonOf } from "./reason-field";
import { SecondAdmin } from "./second-admin";
import { useContractChange } from "./use-contract-change";
import { useProposal } from "./use-proposal";

export function OperatorDialog({ contract, close }: ContractDialogProps) {
  const changed = useContractChange(close);
  const change = useMutation(
    useTRPC().console.contracts.setOperator.mutationOptions(changed("Operator changed")),
  );
  const { rules, isOnlyAdmin, propose } = useProposal(contract.address, close);
  const needsSecond = changeNeedsSecondAdmin(rules);
  const { error, isPending } = needsSecond ? propose : change;
  const problem = error && problemOf(error);
  return (
    <FormDialog
      open
      onOpenChange={close}
      title="Change operator"
      description="The operator signs in with this wallet and gets a token that is valid for one hour. Changing the operator revokes the tokens of the previous one immediately."
      problem={problem?.errors ? null : problem}
      busy={isPending}
      submit={needsSecond ? "Propose change" : "Change operator"}
      onSubmit={(form) => {
        const operatorAddress = String(form.get("operator") ?? "").trim() || null;
        const given = { contractAddress: contract.address, operatorAddress };
        if (needsSecond) propose.mutate({ kind: "OPERATOR", ...given, reason: reasonOf(form) });
        else change.mutate(given);
      }}
    >
      <Field
        label="Operator address"
        hint="Leave empty to turn off wallet sign-in."
        error={fieldError(problem, "operatorAddress")}
      >
        {(control) => (
          <AddressInput
            {...control}
            name="operator"
            defaultValue={contract.operatorAddress ?? ""}
            autoFocus
          />
        )}
      </Field>
      {needsSecond && <SecondAdmin isOnlyAdmin={isOnlyAdmin} problem={problem} />}
    </FormDialog>
  );
}
