"use client";
import { type SubmitEvent, useState } from "react";
import { Button } from "../../../ui/button";
import { Field, Input } from "../../../ui/field";
import { FilterChip } from "./filter-chip";

interface TextFilterProps {
  name: string;
  label: string;
  value: string | null;
  /** The value as the chip shows it. */
  shown?: string;
  pattern: RegExp;
  /** What a value must be, in words. */
  mustBe: string;
  placeholder: string;
  onChange: (value: string | null) => void;
}

/** A filter that is typed; it is applied when it is well formed. */
export function TextFilter(props: TextFilterProps) {
  const { name, value, shown, onChange } = props;
  return (
    <FilterChip name={name} value={shown ?? value ?? undefined} onClear={() => onChange(null)}>
      {(close) => <TextForm {...props} close={close} />}
    </FilterChip>
  );
}

function TextForm({
  label,
  value,
  pattern,
  mustBe,
  placeholder,
  onChange,
  close,
}: TextFilterProps & { close: () => void }) {
  const [error, setError] = useState<string>();
  const apply = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const text = String(new FormData(event.currentTarget).get("value") ?? "").trim();
    if (text && !pattern.test(text)) {
      setError(`This ${mustBe}.`);
      return;
    }
    onChange(text || null);
    close();
  };
  return (
    <form onSubmit={apply} noValidate className="flex w-80 max-w-full flex-col gap-3">
      <Field label={label} error={error}>
        {(control) => (
          <Input
            {...control}
            name="value"
            defaultValue={value ?? ""}
            placeholder={placeholder}
            autoComplete="off"
            spellCheck={false}
            className="font-mono text-mono!"
          />
        )}
      </Field>
      <Button type="submit" variant="primary" className="self-end">
        Apply
      </Button>
    </form>
  );
}
