"use client";
import { useMutation } from "@tanstack/react-query";
import { useTRPC } from "../../../data/trpc";
import { TextField, textOf } from "../../../ui/field";
import { ChangeDialog } from "../../../ui/form-dialog";
import { DecideChangeDialog, ProposeRuleDialog } from "./approval-dialogs";
import { type ContractDialog, type ContractDialogProps, useContractChange } from "./contract-dialog";
import { GrantDialog, IssuanceDialog, OperatorDialog } from "./guarded-dialogs";
import { CreateTokenDialog, RevokeDialog } from "./token-dialogs";

/** In one chunk, which is loaded with the first dialog. */
export function ContractDialogs({ dialog, ...props }: ContractDialogProps & { dialog: ContractDialog }) {
  switch (dialog.kind) {
    case "rename":
      return <RenameDialog {...props} />;
    case "issuance":
      return <IssuanceDialog {...props} />;
    case "operator":
      return <OperatorDialog {...props} />;
    case "grant":
      return <GrantDialog {...props} />;
    case "create-token":
      return <CreateTokenDialog {...props} />;
    case "propose-rule":
      return <ProposeRuleDialog {...props} />;
    case "decide-change":
      return <DecideChangeDialog {...props} {...dialog} />;
    case "revoke":
      return <RevokeDialog {...props} token={dialog.token} />;
  }
}

function RenameDialog({ contract, close }: ContractDialogProps) {
  const changed = useContractChange(close);
  const rename = useMutation(useTRPC().console.contracts.rename.mutationOptions(changed("Contract renamed")));
  return (
    <ChangeDialog
      change={rename}
      close={close}
      title="Rename contract"
      description="The label is shown in the console only. API requests use the address."
      submit="Rename"
      onSubmit={(form) => rename.mutate({ contractAddress: contract.address, label: textOf(form, "label") })}
    >
      {(errorOf) => (
        <TextField
          label="Label"
          error={errorOf("label")}
          name="label"
          defaultValue={contract.label}
          autoComplete="off"
          autoFocus
        />
      )}
    </ChangeDialog>
  );
}
