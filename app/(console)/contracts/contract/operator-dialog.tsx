"use client";
import { useMutation } from "@tanstack/react-query";
import { fieldFault, problemOf } from "../../../data/problem";
import { useTRPC } from "../../../data/trpc";
import { Field } from "../../../ui/field";
import { FormDialog } from "../../../ui/form-dialog";
import { AddressInput } from "../address-input";
import type { ContractDialogProps } from "./dialogs";
import { useContractChange } from "./use-contract-change";

export function OperatorDialog({ contract, close }: ContractDialogProps) {
  const changed = useContractChange(close);
  const change = useMutation(
    useTRPC().console.contracts.setOperator.mutationOptions(changed("The operator is changed.")),
  );
  const problem = change.error && problemOf(change.error);
  return (
    <FormDialog
      open
      onOpenChange={close}
      title="Who may sign in for this contract?"
      description="The operator signs a challenge with this wallet and gets a token for an hour. Tokens of another operator end at once."
      problem={problem?.errors ? null : problem}
      busy={change.isPending}
      submit="Change operator"
      onSubmit={(form) =>
        change.mutate({
          contractAddress: contract.address,
          operatorAddress: String(form.get("operator") ?? "").trim() || null,
        })
      }
    >
      <Field
        label="Operator address"
        hint="Empty: nobody may sign in for it."
        error={fieldFault(problem, "operatorAddress")}
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
    </FormDialog>
  );
}
