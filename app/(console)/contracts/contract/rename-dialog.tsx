"use client";
import { useMutation } from "@tanstack/react-query";
import { fieldError, problemOf } from "../../../data/problem";
import { useTRPC } from "../../../data/trpc";
import { Field, Input } from "../../../ui/field";
import { FormDialog } from "../../../ui/form-dialog";
import type { ContractDialogProps } from "./dialog-props";
import { useContractChange } from "./use-contract-change";

export function RenameDialog({ contract, close }: ContractDialogProps) {
  const changed = useContractChange(close);
  const rename = useMutation(useTRPC().console.contracts.rename.mutationOptions(changed("Contract renamed")));
  const problem = rename.error && problemOf(rename.error);
  return (
    <FormDialog
      open
      onOpenChange={close}
      title="Rename contract"
      description="The label is shown in the console only. API requests use the address."
      problem={problem?.errors ? null : problem}
      busy={rename.isPending}
      submit="Rename"
      onSubmit={(form) =>
        rename.mutate({ contractAddress: contract.address, label: String(form.get("label") ?? "") })
      }
    >
      <Field label="Label" error={fieldError(problem, "label")}>
        {(control) => (
          <Input {...control} name="label" defaultValue={contract.label} autoComplete="off" autoFocus />
        )}
      </Field>
    </FormDialog>
  );
}
