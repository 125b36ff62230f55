"use client";
import { AUDIT_ACTIONS, type AuditAction } from "@/server/audit/actions";
import { ACTION_TEXT } from "./action-words";

interface ActionChoicesProps {
  chosen: readonly AuditAction[];
  onChange: (chosen: AuditAction[]) => void;
}

/** Choosing none shows every action. */
export function ActionChoices({ chosen, onChange }: ActionChoicesProps) {
  const toggle = (action: AuditAction, isOn: boolean) =>
    onChange(isOn ? [...chosen, action] : chosen.filter((other) => other !== action));
  return (
    <fieldset className="grid w-[600px] max-w-full grid-cols-2 gap-x-2 max-sm:grid-cols-1">
      <legend className="sr-only">Actions</legend>
      {AUDIT_ACTIONS.map((action) => (
        <label
          key={action}
          className="flex min-h-8 cursor-pointer items-center gap-2 rounded-control px-1.5 text-table hover:bg-hover"
        >
          <input
            type="checkbox"
            checked={chosen.includes(action)}
            onChange={(event) => toggle(action, event.target.checked)}
            className="accent-(--accent)"
          />
          <span className="min-w-0 flex-1">{ACTION_TEXT[action].name}</span>
          <code className="font-mono text-label text-muted">{action}</code>
        </label>
      ))}
    </fieldset>
  );
}
