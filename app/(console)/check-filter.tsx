"use client";
import type { ReactNode } from "react";
import { FilterChip } from "./batches/filters/filter-chip";

interface Option<Value> {
  value: Value;
  name: string;
  /** After the name, in the list only. */
  note?: ReactNode;
}

interface CheckFilterProps<Value extends string> {
  name: string;
  /** Plural: "kinds". */
  many: string;
  options: readonly Option<Value>[];
  chosen: readonly Value[] | null;
  /** Null when none is chosen, which shows every one. */
  onChange: (chosen: Value[] | null) => void;
  className?: string;
}

/** A filter by any of several values. */
export function CheckFilter<Value extends string>(props: CheckFilterProps<Value>) {
  const { name, many, options, onChange, className } = props;
  const chosen = props.chosen ?? [];
  const toggle = (value: Value, isOn: boolean) => {
    const next = isOn ? [...chosen, value] : chosen.filter((other) => other !== value);
    onChange(next.length > 0 ? next : null);
  };
  const only = options.find(({ value }) => value === chosen[0])?.name;
  const shown = chosen.length > 1 ? `${chosen.length} ${many}` : only;
  return (
    <FilterChip name={name} value={shown} onClear={() => onChange(null)}>
      {() => (
        <fieldset className={className}>
          <legend className="sr-only">{`${name}s`}</legend>
          {options.map((option) => (
            <label
              key={option.value}
              className="flex min-h-8 cursor-pointer items-center gap-2 rounded-control px-1.5 text-table hover:bg-hover"
            >
              <input
                type="checkbox"
                checked={chosen.includes(option.value)}
                onChange={(event) => toggle(option.value, event.target.checked)}
                className="accent-accent"
              />
              <span className="min-w-0 flex-1">{option.name}</span>
              {option.note}
            </label>
          ))}
        </fieldset>
      )}
    </FilterChip>
  );
}
