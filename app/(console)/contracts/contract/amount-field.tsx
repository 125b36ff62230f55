import { POINT_TYPES } from "@/server/kernel/values/point-types";
import { Choices } from "../../../ui/choices";
import { Field, Input } from "../../../ui/field";
import { TYPE_LABELS } from "../../batches/status";

/** Posts `type`. */
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

interface AmountFieldProps {
  label: string;
  hint: string;
  name: string;
  error: string | undefined;
}

/** A decimal amount of points, in the field that has the focus first. */
export const AmountField = ({ name, ...field }: AmountFieldProps) => (
  <Field {...field}>
    {(control) => (
      <Input
        {...control}
        name={name}
        inputMode="decimal"
        autoComplete="off"
        autoFocus
        className="tabular-nums"
      />
    )}
  </Field>
);
