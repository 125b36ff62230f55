import { useRouter } from "next/navigation";
import { contractPath } from "@/app/(console)/paths";
import { useChange, useTRPC } from "@/app/data/trpc";
import { MutationDialog } from "@/app/ui/dialogs";
import { TextField, textOf } from "@/app/ui/fields";
import { notify } from "@/app/ui/toast";
import { AddressInput, IssuanceChoice, issuanceOf } from "./contract-fields";

export default function RegisterDialog({ close }: { close: () => void }) {
  const { contracts } = useTRPC().console;
  const router = useRouter();
  const refresh = useChange([contracts.pathFilter()])();
  return (
    <MutationDialog
      options={contracts.register.mutationOptions({
        ...refresh,
        onSuccess: (_, { address, label }) => {
          notify("success", `${label} registered`);
          close();
          router.push(contractPath(address));
        },
      })}
      close={close}
      title="Register a contract"
      description="A registered contract can hold points and submit batches. Its address cannot be changed
        later."
      submit="Register contract"
      inputOf={(form) => ({
        address: textOf(form, "address"),
        label: textOf(form, "label"),
        operatorAddress: textOf(form, "operatorAddress") || null,
        issuance: issuanceOf(form),
      })}
    >
      <TextField label="Label" hint="The name shown in the console." name="label" autoFocus />
      <AddressInput label="Address" name="address" />
      <AddressInput
        label="Operator address (optional)"
        hint="The wallet that can sign in for the contract."
        name="operatorAddress"
      />
      <IssuanceChoice chosen="ON_DEMAND" />
    </MutationDialog>
  );
}
