import type { ReactNode } from "react";
import { classNames } from "./class-names";

interface Choice {
  value: string;
  label: ReactNode;
  hint?: ReactNode;
}

interface ChoicesProps {
  legend: string;
  name: string;
  kind: "radio" | "checkbox";
  options: readonly Choice[];
  chosen: readonly string[];
  error?: string;
  inline?: boolean;
}

export function Choices({ legend, name, kind, options, chosen, error, inline }: ChoicesProps) {
  return (
    <fieldset className="flex min-w-0 flex-col gap-1.5">
      <legend className="mb-1.5 font-medium text-label">{legend}</legend>
      <div className={inline ? "flex flex-wrap gap-2" : "flex flex-col gap-2"}>
        {options.map(({ value, label, hint }) => (
          <label
            key={value}
            className={classNames(
              "flex cursor-pointer items-start gap-2.5 rounded-control border border-input-line bg-surface px-2.5 py-1.5 text-table",
              "has-checked:border-accent has-checked:bg-selected",
            )}
          >
            <input
              type={kind}
              name={name}
              value={value}
              defaultChecked={chosen.includes(value)}
              className="mt-[3px] size-3.5 shrink-0 accent-accent"
            />
            <span className="flex min-w-0 flex-col">
              <span className="font-medium">{label}</span>
              {hint && <span className="text-label text-muted">{hint}</span>}
            </span>
          </label>
        ))}
      </div>
      {error && <p className="text-danger text-label">{error}</p>}
    </fieldset>
  );
}
