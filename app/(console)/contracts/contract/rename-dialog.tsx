"use client";
import { useMutation } from "@tanstack/react-query";
import { fieldFault, problemOf } from "../../../data/problem";
import { useTRPC } from "../../../data/trpc";
import { Field, Input } from "../../../ui/field";
import { FormDialog } from "../../../ui/form-dialog";
import type { ContractDialogProps } from "./dialogs";
import { useContractChange } from "./use-contract-change";

export function RenameDialog({ contract, close }: ContractDialogProps) {
  const changed = useContractChange(close);
  const rename = useMutation(
    useTRPC().console.contracts.rename.mutationOptions(changed("The contract has a new label.")),
  );
  const problem = rename.error && problemOf(rename.error);
  return (
    <FormDialog
      open
      onOpenChange={close}
      title="Rename this contract"
      description="Only people see the label; callers use the address."
      problem={problem?.errors ? null : problem}
      busy={rename.isPending}
      submit="Rename"
      onSubmit={(form) =>
        rename.mutate({ contractAddress: contract.address, label: String(form.get("label") ?? "") })
      }
    >
      <Field label="Label" error={fieldFault(problem, "label")}>
        {(control) => (
          <Input {...control} name="label" defaultValue={contract.label} autoComplete="off" autoFocus />
        )}
      </Field>
    </FormDialog>
  );
}
