"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { TokenScope } from "@/server/auth/access-token";
import { fieldFault, problemOf } from "../../../data/problem";
import { useTRPC } from "../../../data/trpc";
import { Choices } from "../../../ui/choices";
import { Field, Input } from "../../../ui/field";
import { FormDialog } from "../../../ui/form-dialog";
import type { ContractDialogProps } from "./dialogs";
import { NewToken } from "./new-token";

const SCOPES = [
  {
    value: "batches:read",
    label: "Read",
    hint: "List and fetch batches, read balances (batches:read).",
  },
  { value: "batches:write", label: "Write", hint: "Submit and cancel batches (batches:write)." },
] as const satisfies readonly { value: TokenScope; label: string; hint: string }[];

const EXPIRIES = [
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "365", label: "1 year" },
  { value: "never", label: "Never" },
] as const;

export function CreateTokenDialog({ contract, close }: ContractDialogProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const create = useMutation(
    trpc.console.contracts.createToken.mutationOptions({
      // The token is kept nowhere but in the dialog that shows it.
      gcTime: 0,
      onSettled: () => queryClient.invalidateQueries(trpc.console.contracts.tokens.queryFilter()),
    }),
  );
  if (create.data)
    return (
      <NewToken
        token={create.data.token}
        name={create.variables.name}
        scopes={create.variables.scopes}
        contractAddress={contract.address}
        close={close}
      />
    );
  const problem = create.error && problemOf(create.error);
  const send = (form: FormData) => {
    const expires = String(form.get("expires"));
    create.mutate({
      contractAddress: contract.address,
      name: String(form.get("name") ?? ""),
      scopes: form.getAll("scopes") as TokenScope[],
      expiresInDays: expires === "never" ? null : Number(expires),
    });
  };
  return (
    <FormDialog
      open
      onOpenChange={close}
      title="Create a token"
      description={`It acts for ${contract.label} only, and is shown once.`}
      problem={problem?.errors ? null : problem}
      busy={create.isPending}
      submit="Create token"
      onSubmit={send}
    >
      <Field
        label="Name"
        hint="Where it is used; it stands beside everything done with it."
        error={fieldFault(problem, "name")}
      >
        {(control) => <Input {...control} name="name" autoComplete="off" autoFocus />}
      </Field>
      <Choices
        legend="Scopes"
        name="scopes"
        kind="checkbox"
        options={SCOPES}
        chosen={SCOPES.map(({ value }) => value)}
        error={fieldFault(problem, "scopes")}
      />
      <Choices legend="Expires" name="expires" kind="radio" inline options={EXPIRIES} chosen={["90"]} />
    </FormDialog>
  );
}
