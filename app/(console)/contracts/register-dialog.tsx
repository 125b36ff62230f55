"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { fieldError, problemOf } from "../../data/problem";
import { useTRPC } from "../../data/trpc";
import { Choices } from "../../ui/choices";
import { Field, Input } from "../../ui/field";
import { FormDialog } from "../../ui/form-dialog";
import { notify } from "../../ui/toast";
import { AddressInput } from "./address-input";
import { ISSUANCE_CHOICES } from "./issuance-words";
import { contractPath } from "./paths";

interface RegisterDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function RegisterDialog({ open, onOpenChange }: RegisterDialogProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const router = useRouter();
  const register = useMutation(
    trpc.console.contracts.register.mutationOptions({
      onSuccess: (_, { address, label }) => {
        notify("success", `${label} registered`);
        onOpenChange(false);
        router.push(contractPath(address));
      },
      onSettled: () => queryClient.invalidateQueries(trpc.console.contracts.pathFilter()),
    }),
  );
  const problem = register.error && problemOf(register.error);
  const send = (form: FormData) => {
    const text = (name: string) => String(form.get(name) ?? "").trim();
    register.mutate({
      address: text("address"),
      label: text("label"),
      operatorAddress: text("operator") || null,
      issuance: form.get("issuance") === "PREFUNDED" ? "PREFUNDED" : "ON_DEMAND",
    });
  };
  return (
    <FormDialog
      open={open}
      onOpenChange={onOpenChange}
      title="Register a contract"
      description="A registered contract can hold points and submit batches. Its address cannot be changed later."
      problem={problem?.errors ? null : problem}
      busy={register.isPending}
      submit="Register contract"
      onSubmit={send}
    >
      <Field label="Label" hint="The name shown in the console." error={fieldError(problem, "label")}>
        {(control) => <Input {...control} name="label" autoComplete="off" autoFocus />}
      </Field>
      <Field label="Address" error={fieldError(problem, "address")}>
        {(control) => <AddressInput {...control} name="address" />}
      </Field>
      <Field
        label="Operator address (optional)"
        hint="The wallet that can sign in for the contract."
        error={fieldError(problem, "operatorAddress")}
      >
        {(control) => <AddressInput {...control} name="operator" />}
      </Field>
      <Choices
        legend="Issuance"
        name="issuance"
        kind="radio"
        options={ISSUANCE_CHOICES}
        chosen={["ON_DEMAND"]}
      />
    </FormDialog>
  );
}
