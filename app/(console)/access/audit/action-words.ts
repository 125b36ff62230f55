import type { AuditAction } from "@/server/audit/actions";
import type { AuditEntry } from "@/server/audit/console-schema";
import { formatAmount } from "../../../ui/amount";

type Detail = AuditEntry["detail"];

interface ActionText {
  /** Shown in the filter. */
  name: string;
  /** Follows the actor's name; the target has a column of its own. */
  sentence: (detail: Detail) => string;
}

const text = (detail: Detail, name: string) => {
  const value = detail[name];
  return value === undefined || value === null || value === "" ? null : String(value);
};
/** ` <before><value><after>`, or nothing when the detail lacks the value. */
const part = (detail: Detail, name: string, before = "", after = "") => {
  const value = text(detail, name);
  return value === null ? "" : ` ${before}${value}${after}`;
};
/** Like `part`, for a number or an amount, with its digits grouped. */
const amount = (detail: Detail, name: string, before = "", after = "") => {
  const value = text(detail, name);
  return value === null
    ? ""
    : ` ${before}${/^\d+(\.\d+)?$/.test(value) ? formatAmount(value) : value}${after}`;
};
const reason = (detail: Detail) => {
  const value = text(detail, "reason");
  return value === null ? "" : `: “${value}”`;
};

const ruleText = (detail: Detail) => {
  const needs = [
    detail.threshold && `from${amount(detail, "threshold")}`,
    detail.onUnusual && "when unusual",
  ].filter(Boolean);
  return `an approval rule${part(detail, "pointType", "for ")} (${needs.join(", ") || "none needed"})`;
};

/** A proposed change of a contract. */
const changeText = (detail: Detail) => {
  switch (detail.kind) {
    case "RULE":
      return ruleText(detail);
    case "GRANT":
      return `a grant of${amount(detail, "points")}${part(detail, "pointType")}`;
    case "ISSUANCE":
      return `a change of issuance${part(detail, "issuance", "to ")}`;
    case "OPERATOR":
      return text(detail, "operatorAddress")
        ? `a change of operator${part(detail, "operatorAddress", "to ")}`
        : "the removal of the operator";
    default:
      return "a change";
  }
};

const inJob = (detail: Detail) => (text(detail, "job") === null ? "" : " in a bulk job");

/** An action without text does not compile. */
export const ACTION_TEXT: Record<AuditAction, ActionText> = {
  "staff.create": {
    name: "Team member added",
    sentence: (d) => `added the team member${part(d, "role", "as ")}`,
  },
  "staff.invite": {
    name: "Team member invited",
    sentence: (d) => `invited the team member${part(d, "role", "as ")}`,
  },
  "staff.link": { name: "Password link created", sentence: () => "created a password link" },
  "staff.reset": {
    name: "Password reset requested",
    sentence: () => "had a password reset link sent by email",
  },
  "staff.accept": { name: "Password set from link", sentence: () => "set a password from a link" },
  "staff.role": {
    name: "Role changed",
    sentence: (d) => `changed the role${part(d, "from", "from ")}${part(d, "to", "to ")}`,
  },
  "staff.disable": { name: "Team member disabled", sentence: () => "disabled the team member" },
  "staff.enable": { name: "Team member enabled", sentence: () => "enabled the team member" },
  "staff.password": { name: "Password changed", sentence: () => "changed their own password" },
  "staff.session": {
    name: "Session ended",
    sentence: (d) => `ended one of their own sessions${part(d, "device", "(", ")")}`,
  },
  "staff.sessions": { name: "Signed out everywhere", sentence: () => "signed out everywhere" },
  "view.create": { name: "View saved", sentence: (d) => `saved the view${part(d, "name", "“", "”")}` },
  "view.rename": {
    name: "View renamed",
    sentence: (d) => `renamed the view${part(d, "from", "from “", "”")}${part(d, "to", "to “", "”")}`,
  },
  "view.delete": { name: "View deleted", sentence: (d) => `deleted the view${part(d, "name", "“", "”")}` },
  "contract.create": {
    name: "Contract registered",
    sentence: (d) =>
      `registered the contract${part(d, "label", "“", "”")}${part(d, "issuance", "with issuance ")}`,
  },
  "contract.operator": {
    name: "Operator changed",
    sentence: (d) =>
      text(d, "operator") ? `set the operator to${part(d, "operator")}` : "removed the operator",
  },
  "contract.issuance": {
    name: "Issuance changed",
    sentence: (d) => `changed the issuance${part(d, "from", "from ")}${part(d, "to", "to ")}`,
  },
  "contract.rename": {
    name: "Contract renamed",
    sentence: (d) => `renamed the contract${part(d, "from", "from “", "”")}${part(d, "to", "to “", "”")}`,
  },
  "recipient.label": {
    name: "Recipient labelled",
    sentence: (d) => {
      if (!text(d, "to")) return `removed the label${part(d, "from", "“", "”")} of the address`;
      return text(d, "from")
        ? `changed the label of the address${part(d, "from", "from “", "”")}${part(d, "to", "to “", "”")}`
        : `labelled the address${part(d, "to", "“", "”")}`;
    },
  },
  "token.create": {
    name: "Token created",
    sentence: (d) => `created the access token${part(d, "name", "“", "”")}${part(d, "scopes", "with ")}`,
  },
  "token.revoke": {
    name: "Token revoked",
    sentence: (d) => `revoked the access token${part(d, "name", "“", "”")}${reason(d)}`,
  },
  "webhook.create": { name: "Webhook added", sentence: (d) => `added the webhook${part(d, "url")}` },
  "webhook.rotate": {
    name: "Webhook secret rotated",
    sentence: (d) => `rotated the secret of the webhook${part(d, "url")}`,
  },
  "webhook.disable": {
    name: "Webhook disabled",
    sentence: (d) => `disabled the webhook${part(d, "url")}${part(d, "reason", "(", ")")}`,
  },
  "webhook.enable": { name: "Webhook enabled", sentence: (d) => `enabled the webhook${part(d, "url")}` },
  "webhook.delete": { name: "Webhook deleted", sentence: (d) => `deleted the webhook${part(d, "url")}` },
  "webhook.test": {
    name: "Webhook test sent",
    sentence: (d) => `sent a test event to the webhook${part(d, "url")}`,
  },
  "webhook.replay": {
    name: "Delivery replayed",
    sentence: (d) => `replayed ${text(d, "event") ?? "a delivery"}${part(d, "url", "to ")}`,
  },
  "change.propose": { name: "Change proposed", sentence: (d) => `proposed ${changeText(d)}${reason(d)}` },
  "change.approve": { name: "Change approved", sentence: (d) => `approved ${changeText(d)}${reason(d)}` },
  "change.reject": { name: "Change rejected", sentence: (d) => `rejected ${changeText(d)}${reason(d)}` },
  "change.withdraw": { name: "Proposal withdrawn", sentence: (d) => `withdrew ${changeText(d)}${reason(d)}` },
  "points.grant": {
    name: "Points granted",
    sentence: (d) => `granted${amount(d, "points")}${part(d, "pointType")}`,
  },
  "batch.submit": {
    name: "Batch submitted",
    sentence: (d) => {
      const transfers = amount(d, "transferCount", "", d.transferCount === 1 ? " transfer" : " transfers");
      const details = [transfers, amount(d, "points") + part(d, "pointType")].filter(Boolean).join(",");
      return details ? `submitted the batch:${details}` : "submitted the batch";
    },
  },
  "batch.reverse": {
    name: "Batch taken back",
    sentence: (d) => `submitted the reversal${part(d, "reverses", "of ")}${reason(d)}`,
  },
  "batch.cancel": { name: "Batch cancelled", sentence: (d) => `cancelled the batch${inJob(d)}${reason(d)}` },
  "batch.hold": {
    name: "Batch put on hold",
    sentence: (d) => `put the batch on hold${inJob(d)}${reason(d)}`,
  },
  "batch.release": { name: "Batch released", sentence: (d) => `released the batch${inJob(d)}${reason(d)}` },
  "batch.approve": { name: "Batch approved", sentence: (d) => `approved the batch${reason(d)}` },
  "batch.reject": { name: "Batch rejected", sentence: (d) => `rejected the batch${reason(d)}` },
  "note.create": { name: "Note added", sentence: () => "added a note to the batch" },
  "note.delete": { name: "Note deleted", sentence: () => "deleted their note on the batch" },
  "bulk.start": {
    name: "Bulk job started",
    sentence: (d) =>
      `started a bulk ${text(d, "action") ?? "job"}${amount(d, "batches", "of ", d.batches === 1 ? " batch" : " batches")}${reason(d)}`,
  },
  "bulk.stop": {
    name: "Bulk job stopped",
    sentence: (d) => `stopped the bulk ${text(d, "action") ?? "job"}`,
  },
  "finalizer.run": { name: "Finalizer run", sentence: () => "ran the finalizer" },
  "ledger.check": {
    name: "Ledger checked",
    sentence: (d) =>
      d.ok === false
        ? `checked the ledger, which does not balance${part(d, "findings", "(findings: ", ")")}`
        : "checked the ledger",
  },
  "alert.test": { name: "Test alert sent", sentence: () => "sent a test alert" },
};

/** Another version may have written an action without text here: its code is shown instead. */
export function sentenceOf({ action, detail }: Pick<AuditEntry, "action" | "detail">): string {
  return Object.hasOwn(ACTION_TEXT, action) ? ACTION_TEXT[action as AuditAction].sentence(detail) : action;
}

const ACTORS: Record<string, string> = {
  ops: "Command line",
  "first-run": "First run",
  schedule: "Schedule",
  finalizer: "Finalizer",
  webhooks: "Webhooks",
  "sign-in": "Sign-in page",
};

export function actorName(actor: string): string {
  return ACTORS[actor] ?? actor.replace(/^staff:/, "");
}
