import { POINT_TYPES, type PointType } from "@/server/kernel/values/batch-terms";
import { Choices } from "../../../ui/choices";
import { Field, TextArea, TextField } from "../../../ui/field";
import { TYPE_LABELS } from "../../batches/status";

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
