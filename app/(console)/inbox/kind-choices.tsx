"use client";
import { ALERT_KINDS, type AlertKind } from "@/server/alerts/kinds";
import { KIND_NAMES } from "./kind-names";

interface KindChoicesProps {
  chosen: readonly AlertKind[];
  onChange: (chosen: AlertKind[]) => void;
}

/** Choosing none shows every kind. */
export function KindChoices({ chosen, onChange }: KindChoicesProps) {
  const toggle = (kind: AlertKind, isOn: boolean) =>
    onChange(isOn ? [...chosen, kind] : chosen.filter((other) => other !== kind));
  return (
    <fieldset className="flex w-56 flex-col">
      <legend className="sr-only">Kinds</legend>
      {ALERT_KINDS.map((kind) => (
        <label
          key={kind}
          className="flex min-h-8 cursor-pointer items-center gap-2 rounded-control px-1.5 text-table hover:bg-hover"
        >
          <input
            type="checkbox"
            checked={chosen.includes(kind)}
            onChange={(event) => toggle(kind, event.target.checked)}
            className="accent-(--accent)"
          />
          {KIND_NAMES[kind]}
        </label>
      ))}
    </fieldset>
  );
}
