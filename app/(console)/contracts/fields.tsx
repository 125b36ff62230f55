import type { ComponentProps } from "react";
import { ISSUANCE_LABELS, TYPE_LABELS } from "@/app/(console)/batches/status";
import { Choices } from "@/app/ui/choices";
import { Field, TextArea, TextField } from "@/app/ui/field";
import type { Issuance } from "@/server/contracts/change-contract";
import { POINT_TYPES, type PointType } from "@/server/kernel/values/batch-terms";

const OPTIONS = [
  {
    value: "ON_DEMAND",
    label: ISSUANCE_LABELS.ON_DEMAND,
    hint: "Missing points are issued when a batch is submitted, so no batch is rejected for lack of points.",
  },
  {
    value: "PREFUNDED",
    label: ISSUANCE_LABELS.PREFUNDED,
    hint: "The contract can send only points that it was granted or received. Batches that need more are rejected.",
  },
] as const;

export const IssuanceChoice = ({ chosen }: { chosen: Issuance }) => (
  <Choices legend="Issuance" name="issuance" kind="radio" options={OPTIONS} chosen={[chosen]} />
);

export const issuanceOf = (form: FormData): Issuance =>
  form.get("issuance") === "PREFUNDED" ? "PREFUNDED" : "ON_DEMAND";

export function AddressField(props: ComponentProps<typeof TextField>) {
  return (
    <TextField
      placeholder="0x…"
      autoComplete="off"
      spellCheck={false}
      {...props}
      className="font-mono text-mono!"
    />
  );
}

export const PointTypeChoice = () => (
  <Choices
    legend="Point type"
    name="type"
    kind="radio"
    inline
    options={POINT_TYPES.map((type) => ({ value: type, label: TYPE_LABELS[type] }))}
    chosen={["PHASE2_POINTS"]}
  />
);

export const pointTypeOf = (form: FormData) => String(form.get("type")) as PointType;

interface FieldProps {
  label: string;
  hint: string;
  name: string;
  error: string | undefined;
  autoFocus?: boolean;
}

/** A decimal amount of points, by default in the field that has the focus first. */
export const AmountField = ({ autoFocus = true, ...props }: FieldProps) => (
  <TextField
    {...props}
    inputMode="decimal"
    autoComplete="off"
    autoFocus={autoFocus}
    className="tabular-nums"
  />
);

const REASON_CHARS_MAX = 500;

/** Read with `textOf(form, "reason")`. */
export const ReasonField = ({ error }: { error: string | undefined }) => (
  <Field label="Reason" hint="Required. Shown in the audit log." error={error}>
    {(control) => <TextArea {...control} name="reason" rows={3} maxLength={REASON_CHARS_MAX} />}
  </Field>
);
