import type { Severity } from "./kinds";

/** Each list of a message is cut after this many alerts. */
const LINES_MAX = 10;

/** An alert in a message. */
export interface SentAlert {
  title: string;
  remedy: string;
  severity: Severity;
  /** RFC 3339. */
  startedAt: string;
  /** When the condition was gone; null while it lasts. */
  clearedAt: string | null;
}

export interface Changes {
  started: readonly SentAlert[];
  ended: readonly SentAlert[];
}

/** Plain text for people. */
export interface Message {
  subject: string;
  text: string;
}

/** One message for everything that started or ended. @param consoleUrl scheme and host of the console */
export function composeMessage({ started, ended }: Changes, consoleUrl: string): Message {
  const [first] = started.length > 0 ? started : ended;
  const what = started.length > 0 ? "Alert" : "Resolved";
  const more = Math.max(started.length > 0 ? started.length : ended.length, 1) - 1;
  const parts = [
    listed(
      "Started",
      started,
      (alert) => `${alert.title} (since ${minute(alert.startedAt)} UTC). ${alert.remedy}`,
    ),
    listed(
      "Ended",
      ended,
      (alert) =>
        `${alert.title} (${minute(alert.startedAt)} to ${minute(alert.clearedAt ?? alert.startedAt)} UTC)`,
    ),
    `${consoleUrl}/inbox`,
  ];
  return {
    subject: `[${what}] ${first?.title ?? ""}${more > 0 ? ` and ${more} more` : ""}`,
    text: parts.filter((part) => part !== "").join("\n\n"),
  };
}

function listed(head: string, alerts: readonly SentAlert[], line: (alert: SentAlert) => string): string {
  if (alerts.length === 0) return "";
  const lines = alerts.slice(0, LINES_MAX).map((alert) => `• ${line(alert)}`);
  const more = alerts.length - LINES_MAX;
  return [`${head}:`, ...lines, ...(more > 0 ? [`• and ${more} more`] : [])].join("\n");
}

const minute = (at: string) => at.slice(0, 16).replace("T", " ");

/** In Slack's messages these three characters start links and mentions. */
export const slackText = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
