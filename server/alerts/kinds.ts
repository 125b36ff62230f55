// Apart from the schemas, so that the inbox's page does not load zod.

export const ALERT_KINDS = [
  "check",
  "unread",
  "tick",
  "overdue",
  "run",
  "index",
  "batch",
  "approval",
  "proposal",
  "points",
  "webhook",
] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

/** What waits for a person, in the order of urgency: alerts, payouts to release, and batches on hold. */
export const CARD_KINDS = [...ALERT_KINDS, "payout", "hold"] as const;
export type CardKind = (typeof CARD_KINDS)[number];

/** What an alert says, on screens and in messages. */
export interface Words {
  /** One line, without durations, so that it stays the same while the condition lasts. */
  title: string;
  /** What to do, and who may. */
  remedy: string;
  path: string;
}

/** `critical`: points move late or wrongly, or may soon. */
export type Severity = "critical" | "warning";

/** How alerts are sent, besides being listed in the console. */
export const CHANNELS = ["webhook", "email"] as const;
export type Channel = (typeof CHANNELS)[number];

/** Conditions of one kind that are found at a time. */
export const FOUND_MAX = 1000;

/** Something that people should know about while it lasts. */
export interface Condition extends Words {
  kind: AlertKind;
  /** What it is about; empty for the service itself. One alert is open per kind and subject. */
  subject: string;
  severity: Severity;
  /** RFC 3339. By default, when it is found. */
  startedAt?: string;
  /** RFC 3339. When it is too late to do something about it. */
  dueAt?: string;
}
