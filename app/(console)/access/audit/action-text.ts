import { personName, TYPE_LABELS } from "@/app/(console)/batches/status";
import { formatAmount } from "@/app/ui/amount";
import { AUDIT_ACTIONS, type AuditAction, type AuditDetail } from "@/server/audit/actions";
import type { AuditEntry } from "@/server/audit/list-audit";
import type { PointType } from "@/terms/batch-terms";

const text = (detail: AuditDetail, name: string) => {
  const value = detail[name];
  if (value === undefined || value === null || value === "") return null;
  return (name === "pointType" && TYPE_LABELS[value as PointType]) || String(value);
};

const OPTIONAL = /\[([^{\]]*)\{(\w+)([#?]?)\}([^\]]*)\]/g;

const fill = (template: string, detail: AuditDetail) =>
  template.replaceAll(OPTIONAL, (_, before: string, name: string, mark: string, after: string) => {
    const value = text(detail, name);
    if (value === null) return "";
    const isNumber = mark === "#" && /^\d+(\.\d+)?$/.test(value);
    return `${before}${mark === "?" ? "" : isNumber ? formatAmount(value) : value}${after}`;
  });

/** Falls back to the code: another version may have written an action that has no text here. */
export function sentenceOf({ action, detail }: Pick<AuditEntry, "action" | "detail">): string {
  if (!Object.hasOwn(AUDIT_ACTIONS, action)) return action;
  const [, template] = AUDIT_ACTIONS[action as AuditAction];
  return fill(typeof template === "string" ? template : template(detail), detail);
}

const ACTORS: Record<string, string> = {
  "first-run": "First run",
  schedule: "Schedule",
  finalizer: "Finalizer",
  webhooks: "Webhooks",
  "sign-in": "Sign-in page",
};

export const actorName = (actor: string) => ACTORS[actor] ?? personName(actor);
