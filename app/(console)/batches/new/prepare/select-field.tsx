import type { ReactNode } from "react";
import { Field } from "../../../../ui/field";
import { NativeSelect } from "../../../../ui/native-select";

interface SelectFieldProps {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
  name?: string;
  /** Null until the user chooses an option. */
  chosen: number | null;
  options: readonly string[];
  onChoose: (option: number) => void;
}

/** A choice of one option by its place. */
export function SelectField({ label, hint, error, name, chosen, options, onChoose }: SelectFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => (
        <NativeSelect
          {...control}
          name={name}
          value={chosen ?? ""}
          onChange={(event) => onChoose(Number(event.target.value))}
        >
          {chosen === null && <option value="">Choose…</option>}
          {options.map((option, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: options are identified by their place
            <option key={index} value={index}>
              {option}
            </option>
          ))}
        </NativeSelect>
      )}
    </Field>
  );
}
