"use client";
import { useMutation } from "@tanstack/react-query";
import { changeNeedsSecondAdmin } from "@/server/approvals/needs-second-admin";
import { problemOf } from "../../../data/problem";
import { useTRPC } from "../../../data/trpc";
import { Choices } from "../../../ui/choices";
import { FormDialog } from "../../../ui/form-dialog";
import { ISSUANCE_CHOICES } from "../issuance-words";
import type { ContractDialogProps } from "./dialog-props";
import { reasonOf } from "./reason-field";
import { SecondAdmin } from "./second-admin";
import { useContractChange } from "./use-contract-change";
import { useProposal } from "./use-proposal";

export function IssuanceDialog({ contract, close }: ContractDialogProps) {
  const changed = useContractChange(close);
  const change = useMutation(
    useTRPC().console.contracts.setIssuance.mutationOptions(changed("Issuance changed")),
  );
  const { rules, isOnlyAdmin, propose } = useProposal(contract.address, close);
  const needsSecond = changeNeedsSecondAdmin(rules);
  const { error, isPending } = needsSecond ? propose : change;
  const problem = error && problemOf(error);
  return (
    <FormDialog
      open
      onOpenChange={close}
      title="Change issuance"
      description="Applies to batches submitted from now on. Balances and pending batches do not change."
      problem={problem?.errors ? null : problem}
      busy={isPending}
      submit={needsSecond ? "Propose change" : "Change issuance"}
      onSubmit={(form) => {
        const issuance = form.get("issuance") === "PREFUNDED" ? "PREFUNDED" : "ON_DEMAND";
        const given = { contractAddress: contract.address, issuance } as const;
        if (needsSecond) propose.mutate({ kind: "ISSUANCE", ...given, reason: reasonOf(form) });
        else change.mutate(given);
      }}
    >
      <Choices
        legend="Issuance"
        name="issuance"
        kind="radio"
        options={ISSUANCE_CHOICES}
        chosen={[contract.issuance]}
      />
      {needsSecond && <SecondAdmin isOnlyAdmin={isOnlyAdmin} problem={problem} />}
    </FormDialog>
  );
}
