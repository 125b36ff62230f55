/** What an entry says about its change. */
export type AuditDetail = Record<string, string | number | boolean | null>;

const REASON = "[: “{reason}”]";
const IN_JOB = "[ in a bulk action{job?}]";
const bulkOf = ({ action }: AuditDetail) =>
  action === "reverse" ? " take back" : action ? "[ {action}]" : " action";
const FROM_TO = "[ from {from}][ to {to}]";
const FROM_TO_QUOTED = "[ from “{from}”][ to “{to}”]";

function changeTemplate(detail: AuditDetail): string {
  switch (detail.kind) {
    case "RULE": {
      const needs = [
        detail.threshold && "from[ {threshold#}]",
        detail.dayThreshold && "[{dayThreshold#}] a day",
        detail.onUnusual && "when unusual",
      ];
      return `an approval rule[ for {pointType}] (${needs.filter(Boolean).join(", ") || "none needed"})`;
    }
    case "GRANT":
      return "a grant of[ {points#}][ {pointType}]";
    case "ISSUANCE":
      return "a change of issuance[ to {issuance}]";
    case "OPERATOR":
      return detail.operatorAddress
        ? "a change of operator[ to {operatorAddress}]"
        : "the removal of the operator";
    case "WAIT":
      return "a change of the default wait[ to {seconds} s]";
    default:
      return "a change";
  }
}

const labelTemplate = (detail: AuditDetail) => {
  if (!detail.to) return "removed the label[ “{from}”] of the address";
  if (!detail.from) return "labelled the address[ “{to}”]";
  return `changed the label of the address${FROM_TO_QUOTED}`;
};

function submitTemplate({ transferCount }: AuditDetail): string {
  const transfers = transferCount === 1 ? "transfer" : "transfers";
  return `submitted the batch[: {transferCount#} ${transfers}][, {points#}][ {pointType}]`;
}

/** Its name in the console's filter, and what follows the actor's name. The target has its own column. */
type ActionText = readonly [name: string, template: string | ((detail: AuditDetail) => string)];

/**
 * All actions in the audit log. Of a template, `[…]` is left out without the value that it names. `{points#}`
 * groups digits, and `{job?}` shows nothing.
 */
export const AUDIT_ACTIONS = {
  "staff.create": ["Team member added", "added the team member[ as {role}]"],
  "staff.invite": ["Team member invited", "invited the team member[ as {role}]"],
  "staff.link": ["Password link created", "created a password link"],
  "staff.reset": ["Password reset requested", "requested a password reset link"],
  "staff.accept": ["Password set from link", "set a password from a link"],
  "staff.confirm": ["Access confirmed", "confirmed the access"],
  "staff.role": ["Role changed", `changed the role${FROM_TO}`],
  "staff.disable": ["Team member disabled", "disabled the team member"],
  "staff.enable": ["Team member enabled", "enabled the team member"],
  "staff.password": ["Password changed", "changed their own password"],
  "staff.session": ["Session ended", "ended one of their own sessions[ ({device})]"],
  "staff.sessions": ["Signed out everywhere", "signed out everywhere"],
  "view.create": ["View saved", "saved the view[ “{name}”]"],
  "view.delete": ["View deleted", "deleted the view[ “{name}”]"],
  "contract.create": [
    "Contract registered",
    "registered the contract[ “{label}”][ with issuance {issuance}]",
  ],
  "contract.operator": [
    "Operator changed",
    (d) => (d.operator ? "set the operator to[ {operator}]" : "removed the operator"),
  ],
  "contract.issuance": ["Issuance changed", `changed the issuance${FROM_TO}`],
  "contract.wait": ["Default wait changed", "changed the default wait[ from {from} s][ to {to} s]"],
  "contract.key": [
    "Key requirement changed",
    ({ to }) => (to ? "required an idempotency key" : "made the idempotency key optional"),
  ],
  "contract.rename": ["Contract renamed", `renamed the contract${FROM_TO_QUOTED}`],
  "change.propose": ["Change proposed", (d) => `proposed ${changeTemplate(d)}${REASON}`],
  "change.approve": ["Change approved", (d) => `approved ${changeTemplate(d)}${REASON}`],
  "change.reject": ["Change rejected", (d) => `rejected ${changeTemplate(d)}${REASON}`],
  "change.withdraw": ["Proposal withdrawn", (d) => `withdrew ${changeTemplate(d)}${REASON}`],
  "recipient.label": ["Recipient labelled", labelTemplate],
  "token.create": ["Token created", "created the access token[ “{name}”][ with {scopes}]"],
  "token.revoke": ["Token revoked", `revoked the access token[ “{name}”]${REASON}`],
  "webhook.create": ["Webhook added", "added the webhook[ {url}]"],
  "webhook.rotate": ["Webhook secret rotated", "rotated the secret of the webhook[ {url}]"],
  "webhook.disable": ["Webhook disabled", "disabled the webhook[ {url}][ ({reason})]"],
  "webhook.enable": ["Webhook enabled", "enabled the webhook[ {url}]"],
  "webhook.delete": ["Webhook deleted", "deleted the webhook[ {url}]"],
  "webhook.test": ["Webhook test sent", "sent a test event to the webhook[ {url}]"],
  "webhook.replay": [
    "Delivery replayed",
    (d) => `replayed${d.event ? "[ {event}]" : " a delivery"}[ to {url}]`,
  ],
  "points.grant": ["Points granted", "granted[ {points#}][ {pointType}]"],
  "batch.submit": ["Batch submitted", submitTemplate],
  "batch.reverse": ["Reversal submitted", `submitted the reversal[ of {reverses}]${IN_JOB}${REASON}`],
  "batch.cancel": ["Batch cancelled", `cancelled the batch${IN_JOB}${REASON}`],
  "batch.hold": ["Batch put on hold", `put the batch on hold${IN_JOB}${REASON}`],
  "batch.release": ["Batch released", `released the batch${IN_JOB}${REASON}`],
  "batch.approve": ["Batch approved", `approved the batch${IN_JOB}${REASON}`],
  "batch.reject": ["Batch rejected", `rejected the batch${REASON}`],
  "batch.check": ["Unusual batch checked", "checked what is unusual"],
  "batch.uncheck": ["Check taken back", "took back having checked what is unusual"],
  "note.create": ["Note added", "added a note to the batch"],
  "note.delete": ["Note deleted", "deleted their note on the batch"],
  "payout.release": [
    "Payout released",
    ({ batches }) => `released the payout[ of {batches#} ${batches === 1 ? "batch" : "batches"}]`,
  ],
  "bulk.start": [
    "Bulk action started",
    (d) => `started a bulk${bulkOf(d)}[ of {batches#} ${d.batches === 1 ? "batch" : "batches"}]${REASON}`,
  ],
  "bulk.stop": ["Bulk action stopped", (d) => `stopped the bulk${bulkOf(d)}`],
  "finalizer.run": ["Finalizer run", "ran the finalizer"],
  "ledger.check": [
    "Ledger checked",
    ({ ok }) =>
      ok === false
        ? "checked the ledger, which does not balance[ (findings: {findings})]"
        : "checked the ledger",
  ],
  "snapshot.take": ["Snapshot requested", "requested a snapshot[ of {pointType}][: “{name}”]"],
  "snapshot.delete": ["Snapshot deleted", "deleted a snapshot[ of {pointType}][: “{name}”]"],
  "allocation.make": ["Allocation requested", "requested an allocation[: “{name}”]"],
  "allocation.publish": ["Allocation published", "published an allocation[: “{name}”]"],
  "allocation.delete": ["Allocation deleted", "deleted an allocation[: “{name}”]"],
  "alert.test": ["Test alert sent", "sent a test alert"],
  "backup.write": ["Backup written", "wrote a backup[ of {rows#} rows]"],
} as const satisfies Record<string, ActionText>;

export type AuditAction = keyof typeof AUDIT_ACTIONS;
export const AUDIT_ACTION_NAMES = Object.keys(AUDIT_ACTIONS) as AuditAction[];
