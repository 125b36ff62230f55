// Apart from the schemas, so that the inbox's page does not load zod.

/** What an alert can be about, worst first. */
export const ALERT_KINDS = [
  "check",
  "tick",
  "overdue",
  "run",
  "batch",
  "approval",
  "proposal",
  "points",
  "webhook",
] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

export const ALERT_STATES = ["open", "ended", "all"] as const;

/** `critical`: points move late or wrongly, or may soon. */
export type Severity = "critical" | "warning";

/** How alerts are sent, besides being listed in the console. */
export const CHANNELS = ["webhook", "email"] as const;
export type Channel = (typeof CHANNELS)[number];

/** Something that people should know about while it lasts. */
export interface Condition {
  kind: AlertKind;
  /** What it is about; empty for the service itself. One alert is open per kind and subject. */
  subject: string;
  severity: Severity;
  /** One line, without durations, so that it stays the same while the condition lasts. */
  title: string;
  /** What to do, and who may. */
  remedy: string;
  path: string;
  /** RFC 3339. When it is too late to do something about it. */
  dueAt?: string;
}
