"use client";
import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { TextField, textOf } from "@/app/ui/field";
import { ChangeDialog } from "@/app/ui/form-dialog";
import { useTRPC } from "../../data/trpc";
import { useChange } from "../../data/use-change";
import { notify } from "../../ui/toast";
import { AddressField, IssuanceChoice, issuanceOf } from "./fields";
import { contractPath } from "./paths";

export function RegisterDialog({ close }: { close: () => void }) {
  const { contracts } = useTRPC().console;
  const router = useRouter();
  const refresh = useChange([contracts.pathFilter()])();
  const register = useMutation(
    contracts.register.mutationOptions({
      ...refresh,
      onSuccess: (_, { address, label }) => {
        notify("success", `${label} registered`);
        close();
        router.push(contractPath(address));
      },
    }),
  );
  const send = (form: FormData) =>
    register.mutate({
      address: textOf(form, "address"),
      label: textOf(form, "label"),
      operatorAddress: textOf(form, "operator") || null,
      issuance: issuanceOf(form),
    });
  return (
    <ChangeDialog
      change={register}
      close={close}
      title="Register a contract"
      description="A registered contract can hold points and submit batches. Its address cannot be changed later."
      submit="Register contract"
      onSubmit={send}
    >
      {(errorOf) => (
        <>
          <TextField
            label="Label"
            hint="The name shown in the console."
            error={errorOf("label")}
            name="label"
            autoComplete="off"
            autoFocus
          />
          <AddressField label="Address" error={errorOf("address")} name="address" />
          <AddressField
            label="Operator address (optional)"
            hint="The wallet that can sign in for the contract."
            error={errorOf("operatorAddress")}
            name="operator"
          />
          <IssuanceChoice chosen="ON_DEMAND" />
        </>
      )}
    </ChangeDialog>
  );
}
