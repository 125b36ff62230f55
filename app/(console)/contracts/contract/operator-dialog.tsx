"use client";
import { useMutation } from "@tanstack/react-query";
import { fieldError, problemOf } from "../../../data/problem";
import { useTRPC } from "../../../data/trpc";
import { Field } from "../../../ui/field";
import { FormDialog } from "../../../ui/form-dialog";
import { AddressInput } from "../address-input";
import type { ContractDialogProps } from "./dialog-props";
import { useContractChange } from "./use-contract-change";

export function OperatorDialog({ contract, close }: ContractDialogProps) {
  const changed = useContractChange(close);
  const change = useMutation(
    useTRPC().console.contracts.setOperator.mutationOptions(changed("Operator changed")),
  );
  const problem = change.error && problemOf(change.error);
  return (
    <FormDialog
      open
      onOpenChange={close}
      title="Change operator"
      description="The operator signs in with this wallet and gets a token that is valid for one hour. Changing the operator revokes the tokens of the previous one immediately."
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
    </FormDialog>
  );
}
