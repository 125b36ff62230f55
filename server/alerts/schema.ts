import { z } from "zod";
import { ALERT_STATES, type AlertKind, CHANNELS, type Channel, type Severity } from "./kinds";

const PAGE_ROWS_MAX = 100;
export const PAGE_ROWS = 50;
const IDS_MAX = 100;

export const ListAlertsInput = z.strictObject({
  state: z.enum(ALERT_STATES),
  limit: z.int().min(1).max(PAGE_ROWS_MAX).optional(),
  /** Last alert of the previous page. */
  cursor: z.uuid().nullish(),
});
export type ListAlertsInput = z.output<typeof ListAlertsInput>;

export const SeenInput = z.strictObject({ alertIds: z.array(z.uuid()).min(1).max(IDS_MAX) });
export type SeenInput = z.output<typeof SeenInput>;

export const TestInput = z.strictObject({ channel: z.enum(CHANNELS) });
export type TestInput = z.output<typeof TestInput>;

export interface Alert {
  id: string;
  kind: AlertKind;
  severity: Severity;
  title: string;
  remedy: string;
  path: string;
  startedAt: string;
  /** When the condition was gone. It may come back until `endedAt`. */
  clearedAt: string | null;
  endedAt: string | null;
  seenBy: { email: string; at: string }[];
}

export type AlertPage = { alerts: Alert[]; cursor: string | null };

/** For every page of the console. */
export interface AlertSummary {
  /** Alerts whose condition lasts and that the user has not marked as seen, worst first, at most `SUMMARY_MAX`. */
  unseen: Pick<Alert, "id" | "severity" | "title" | "remedy" | "path">[];
  unseenCount: number;
}

export interface ChannelState {
  channel: Channel;
  /** Where it sends to, without secrets; null when it is not set up. */
  target: string | null;
  lastSentAt: string | null;
  /** What the other side answered to the last attempt, if that failed. */
  failure: string | null;
}

export interface TestReply {
  isSent: boolean;
  /** What the other side answered, or why it did not, without secrets. */
  answer: string;
}
