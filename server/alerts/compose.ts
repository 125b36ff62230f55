import type { Severity } from "./kinds";

/** Alerts listed per section of a message. The others are counted. */
const LINES_MAX = 10;

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
  /** Started before, and critical now. */
  risen: readonly SentAlert[];
  started: readonly SentAlert[];
  ended: readonly SentAlert[];
}

/** Plain text for people. */
export interface Message {
  subject: string;
  text: string;
}

/** One message for everything that started, became critical or ended, at least one alert. @param consoleUrl scheme and host of the console */
export function composeMessage({ risen, started, ended }: Changes, consoleUrl: string): Message {
  const news = [...risen, ...started];
  const [what, named] = news.length > 0 ? (["Alert", news] as const) : (["Resolved", ended] as const);
  const more = named.length - 1;
  const since = (alert: SentAlert) =>
    `${alert.title} (since ${minuteOf(alert.startedAt)} UTC). ${alert.remedy}`;
  const parts = [
    listed("Now critical", risen, since),
    listed("Started", started, since),
    listed(
      "Ended",
      ended,
      (alert) =>
        `${alert.title} (${minuteOf(alert.startedAt)} to ${minuteOf(alert.clearedAt ?? alert.startedAt)} UTC)`,
    ),
    `${consoleUrl}/inbox`,
  ];
  return {
    subject: `[${what}] ${named[0]!.title}${more > 0 ? ` and ${more} more` : ""}`,
    text: parts.filter((part) => part !== "").join("\n\n"),
  };
}

function listed(head: string, alerts: readonly SentAlert[], line: (alert: SentAlert) => string): string {
  if (alerts.length === 0) return "";
  const lines = alerts.slice(0, LINES_MAX).map((alert) => `• ${line(alert)}`);
  const more = alerts.length - LINES_MAX;
  return [`${head}:`, ...lines, ...(more > 0 ? [`• and ${more} more`] : [])].join("\n");
}

/** The minute of an RFC 3339 time, as people read it. */
export const minuteOf = (at: string) => at.slice(0, 16).replace("T", " ");

/** In Slack's messages these three characters start links and mentions. */
export const slackText = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
