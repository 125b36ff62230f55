"use client";
import { type SubmitEvent, useState } from "react";
import { Button } from "../../../ui/button";
import { Field, Input } from "../../../ui/field";
import { useFocus } from "../../../ui/use-focus";

export interface TextFilterProps {
  name: string;
  label: string;
  value: string | null;
  /** The value as the chip shows it, when that differs. */
  shown?: string;
  pattern: RegExp;
  /** Shown when the value does not match the pattern. */
  rule: string;
  placeholder: string;
  onChange: (value: string | null) => void;
}

export function TextForm({ label, value, pattern, rule, placeholder, onChange }: TextFilterProps) {
  const [error, setError] = useState<string>();
  const field = useFocus<HTMLInputElement>();
  const apply = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const text = String(new FormData(event.currentTarget).get("value") ?? "").trim();
    if (text && !pattern.test(text)) setError(rule);
    else onChange(text || null);
  };
  return (
    <form onSubmit={apply} noValidate className="flex w-80 max-w-full flex-col gap-3">
      <Field label={label} error={error}>
        {(control) => (
          <Input
            {...control}
            ref={field}
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
