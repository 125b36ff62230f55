"use client";
import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import type { ComponentProps } from "react";
import { REASON_CHARS_MAX } from "@/app/(console)/batches/fields";
import { ISSUANCE_LABELS, TYPE_LABELS } from "@/app/(console)/batches/status";
import { useChange, useTRPC } from "@/app/data/trpc";
import { ChangeDialog } from "@/app/ui/dialogs";
import { Choices, Field, TextArea, TextField, textOf } from "@/app/ui/fields";
import { notify } from "@/app/ui/toast";
import type { Issuance } from "@/server/contracts/change-contract";
import { POINT_TYPES, type PointType } from "@/terms/batch-terms";
import { contractPath } from "./paths";

export default function RegisterDialog({ close }: { close: () => void }) {
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
      operatorAddress: textOf(form, "operatorAddress") || null,
      issuance: issuanceOf(form),
    });
  return (
    <ChangeDialog
      change={register}
      close={close}
      title="Register a contract"
      description="A registered contract can hold points and submit batches. Its address cannot be changed
        later."
      submit="Register contract"
      onSubmit={send}
    >
      <TextField
        label="Label"
        hint="The name shown in the console."
        name="label"
        autoComplete="off"
        autoFocus
      />
      <AddressField label="Address" name="address" />
      <AddressField
        label="Operator address (optional)"
        hint="The wallet that can sign in for the contract."
        name="operatorAddress"
      />
      <IssuanceChoice chosen="ON_DEMAND" />
    </ChangeDialog>
  );
}

const OPTIONS = [
  {
    value: "ON_DEMAND",
    label: ISSUANCE_LABELS.ON_DEMAND,
    hint: "Missing points are issued when a batch is submitted, so no batch is rejected for lack of points.",
  },
  {
    value: "PREFUNDED",
    label: ISSUANCE_LABELS.PREFUNDED,
    hint:
      "The contract can send only points that it was granted or received. " +
      "Batches that need more are rejected.",
  },
] as const;

export const IssuanceChoice = ({ chosen }: { chosen: Issuance }) => (
  <Choices legend="Issuance" name="issuance" kind="radio" options={OPTIONS} chosen={[chosen]} />
);

export const issuanceOf = (form: FormData): Issuance =>
  form.get("issuance") === "PREFUNDED" ? "PREFUNDED" : "ON_DEMAND";

export const AddressField = (props: ComponentProps<typeof TextField>) => (
  <TextField placeholder="0x…" autoComplete="off" spellCheck={false} {...props} className="mono!" />
);

export const PointTypeChoice = () => (
  <Choices
    legend="Point type"
    name="pointType"
    kind="radio"
    inline
    options={POINT_TYPES.map((type) => ({ value: type, label: TYPE_LABELS[type] }))}
    chosen={["PHASE2_POINTS"]}
  />
);

export const pointTypeOf = (form: FormData) => String(form.get("pointType")) as PointType;

export const AmountField = (props: ComponentProps<typeof TextField>) => (
  <TextField inputMode="decimal" autoComplete="off" {...props} className="tabular-nums" />
);

/** Read with `textOf(form, "reason")`. */
export const ReasonField = () => (
  <Field label="Reason" name="reason" hint="Required. Shown in the audit log.">
    {(control) => <TextArea {...control} name="reason" rows={3} maxLength={REASON_CHARS_MAX} />}
  </Field>
);
