"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { TokenScope } from "@/server/auth/access-token";
import { fieldError, problemOf } from "../../../data/problem";
import { useTRPC } from "../../../data/trpc";
import { Choices } from "../../../ui/choices";
import { Field, Input } from "../../../ui/field";
import { FormDialog } from "../../../ui/form-dialog";
import type { ContractDialogProps } from "./dialog-props";
import { NewToken } from "./new-token";

const SCOPES = [
  {
    value: "batches:read",
    label: "Read",
    hint: "List and retrieve batches, and read balances (batches:read).",
  },
  { value: "batches:write", label: "Write", hint: "Submit and cancel batches (batches:write)." },
  {
    value: "batches:reverse",
    label: "Take back",
    hint: "Take back finalized batches (batches:reverse). Only for programs that need it.",
  },
] as const satisfies readonly { value: TokenScope; label: string; hint: string }[];

const EXPIRIES = [
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "365", label: "1 year" },
  { value: "never", label: "No expiration" },
] as const;

export function CreateTokenDialog({ contract, close }: ContractDialogProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const create = useMutation(
    trpc.console.contracts.createToken.mutationOptions({
      // The token exists only in the dialog that shows it.
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
      title="Create an access token"
      description={`The token gives access to ${contract.label} only. It is shown once, after you create it.`}
      problem={problem?.errors ? null : problem}
      busy={create.isPending}
      submit="Create token"
      onSubmit={send}
    >
      <Field
        label="Name"
        hint="Where the token is used. Shown next to the batches it submits or cancels."
        error={fieldError(problem, "name")}
      >
        {(control) => <Input {...control} name="name" autoComplete="off" autoFocus />}
      </Field>
      <Choices
        legend="Scopes"
        name="scopes"
        kind="checkbox"
        options={SCOPES}
        chosen={["batches:read", "batches:write"]}
        error={fieldError(problem, "scopes")}
      />
      <Choices legend="Expiration" name="expires" kind="radio" inline options={EXPIRIES} chosen={["90"]} />
    </FormDialog>
  );
}
