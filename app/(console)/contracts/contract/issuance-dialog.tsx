"use client";
import { useMutation } from "@tanstack/react-query";
import { problemOf } from "../../../data/problem";
import { useTRPC } from "../../../data/trpc";
import { Choices } from "../../../ui/choices";
import { FormDialog } from "../../../ui/form-dialog";
import { ISSUANCE_CHOICES } from "../issuance-words";
import type { ContractDialogProps } from "./dialog-props";
import { useContractChange } from "./use-contract-change";

export function IssuanceDialog({ contract, close }: ContractDialogProps) {
  const changed = useContractChange(close);
  const change = useMutation(
    useTRPC().console.contracts.setIssuance.mutationOptions(changed("Issuance changed")),
  );
  return (
    <FormDialog
      open
      onOpenChange={close}
      title="Change issuance"
      description="Applies to batches submitted from now on. Balances and pending batches do not change."
      problem={change.error && problemOf(change.error)}
      busy={change.isPending}
      submit="Change issuance"
      onSubmit={(form) =>
        change.mutate({
          contractAddress: contract.address,
          issuance: form.get("issuance") === "PREFUNDED" ? "PREFUNDED" : "ON_DEMAND",
        })
      }
    >
      <Choices
        legend="Issuance"
        name="issuance"
        kind="radio"
        options={ISSUANCE_CHOICES}
        chosen={[contract.issuance]}
      />
    </FormDialog>
  );
}
