"use client";
import { useMutation } from "@tanstack/react-query";
import { problemOf } from "../../../data/problem";
import { useTRPC } from "../../../data/trpc";
import { FormDialog } from "../../../ui/form-dialog";
import type { ContractDialogProps } from "./dialogs";
import { useContractChange } from "./use-contract-change";

export function RevokeDialog({
  contract,
  close,
  token,
}: ContractDialogProps & { token: { id: string; name: string } }) {
  const changed = useContractChange(close);
  const revoke = useMutation(
    useTRPC().console.contracts.revokeToken.mutationOptions(changed(`The token ${token.name} is revoked.`)),
  );
  return (
    <FormDialog
      open
      onOpenChange={close}
      title={`Revoke the token ${token.name}?`}
      description="The next request with it is refused. This cannot be undone; a new token can be made."
      problem={revoke.error && problemOf(revoke.error)}
      busy={revoke.isPending}
      submit="Revoke token"
      danger
      onSubmit={() => revoke.mutate({ contractAddress: contract.address, tokenId: token.id })}
    />
  );
}
