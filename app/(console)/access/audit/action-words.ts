import type { AuditAction } from "@/server/audit/actions";
import type { AuditEntry } from "@/server/audit/console-schema";
import { formatAmount } from "../../../ui/amount";

type Detail = AuditEntry["detail"];

interface ActionWords {
  /** What the filter calls it. */
  name: string;
  /** What was done, to be read after who did it; the target stands beside. */
  sentence: (detail: Detail) => string;
}

const text = (detail: Detail, name: string) => {
  const value = detail[name];
  return value === undefined || value === null || value === "" ? null : String(value);
};
/** ` <before><value><after>` when the detail has the value, else nothing. */
const part = (detail: Detail, name: string, before = "", after = "") => {
  const value = text(detail, name);
  return value === null ? "" : ` ${before}${value}${after}`;
};
/** As `part`, of a number or an amount, with its digits grouped. */
const amount = (detail: Detail, name: string, before = "", after = "") => {
  const value = text(detail, name);
  return value === null
    ? ""
    : ` ${before}${/^\d+(\.\d+)?$/.test(value) ? formatAmount(value) : value}${after}`;
};
const because = (detail: Detail) => part(detail, "reason", "because “", "”");

/** Words for everything in the audit log; an action without them does not compile. */
export const ACTION_WORDS: Record<AuditAction, ActionWords> = {
  "staff.create": { name: "Person added", sentence: (d) => `added the person${part(d, "role", "as ")}` },
  "staff.invite": { name: "Person invited", sentence: (d) => `invited the person${part(d, "role", "as ")}` },
  "staff.link": { name: "Link made", sentence: () => "made a new link to choose a password" },
  "staff.accept": { name: "Password chosen by link", sentence: () => "chose a password by a link" },
  "staff.role": {
    name: "Role changed",
    sentence: (d) => `changed the role${part(d, "from", "from ")}${part(d, "to", "to ")}`,
  },
  "staff.disable": { name: "Person disabled", sentence: () => "disabled the person" },
  "staff.enable": { name: "Person enabled", sentence: () => "enabled the person" },
  "staff.password": { name: "Own password changed", sentence: () => "changed their own password" },
  "contract.create": {
    name: "Contract registered",
    sentence: (d) =>
      `registered the contract${part(d, "label", "“", "”")}${part(d, "issuance", "with issuance ")}`,
  },
  "contract.operator": {
    name: "Operator set",
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
  "token.create": {
    name: "Token made",
    sentence: (d) => `made the access token${part(d, "name", "“", "”")}${part(d, "scopes", "with ")}`,
  },
  "token.revoke": {
    name: "Token revoked",
    sentence: (d) => `revoked the access token${part(d, "name", "“", "”")}${because(d)}`,
  },
  "webhook.create": { name: "Webhook added", sentence: (d) => `added the webhook${part(d, "url")}` },
  "webhook.rotate": {
    name: "Webhook secret rotated",
    sentence: (d) => `gave a new secret to the webhook${part(d, "url")}`,
  },
  "webhook.disable": {
    name: "Webhook disabled",
    sentence: (d) => `disabled the webhook${part(d, "url")}${part(d, "reason", "because ")}`,
  },
  "webhook.enable": { name: "Webhook enabled", sentence: (d) => `enabled the webhook${part(d, "url")}` },
  "webhook.delete": { name: "Webhook deleted", sentence: (d) => `deleted the webhook${part(d, "url")}` },
  "webhook.test": { name: "Webhook tested", sentence: (d) => `sent a test to the webhook${part(d, "url")}` },
  "webhook.replay": {
    name: "Delivery sent again",
    sentence: (d) => `sent ${text(d, "event") ?? "a delivery"} again${part(d, "url", "to ")}`,
  },
  "points.grant": {
    name: "Points granted",
    sentence: (d) => `granted${amount(d, "points")}${part(d, "pointType")}`,
  },
  "batch.submit": {
    name: "Batch submitted",
    sentence: (d) =>
      `submitted the batch${amount(d, "transferCount", "of ", d.transferCount === 1 ? " transfer" : " transfers")}${amount(d, "points", "with ")}${part(d, "pointType")}`,
  },
  "batch.cancel": { name: "Batch cancelled", sentence: (d) => `cancelled the batch${because(d)}` },
  "batch.hold": { name: "Batch held", sentence: (d) => `held the batch${because(d)}` },
  "batch.release": { name: "Batch released", sentence: (d) => `released the batch${because(d)}` },
  "finalizer.run": { name: "Finalizer run", sentence: () => "ran the finalizer" },
  "ledger.check": {
    name: "Ledger checked",
    sentence: (d) =>
      d.ok === false
        ? `checked the ledger, which does not balance${part(d, "findings", "in ", " places")}`
        : "checked the ledger",
  },
};

/** What an entry says was done. One that this version has no words for, written by another, is shown as it is. */
export function sentenceOf({ action, detail }: Pick<AuditEntry, "action" | "detail">): string {
  return Object.hasOwn(ACTION_WORDS, action) ? ACTION_WORDS[action as AuditAction].sentence(detail) : action;
}

const ACTORS: Record<string, string> = {
  ops: "Command line",
  "first-run": "First start",
  schedule: "Schedule",
  finalizer: "Finalizer",
  webhooks: "Webhooks",
};

/** Who acted, as people call them. */
export function actorName(actor: string): string {
  return ACTORS[actor] ?? actor.replace(/^staff:/, "");
}
