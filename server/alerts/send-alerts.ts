import { z } from "zod";
import type { Database } from "@/db/client";
import { auditAlone } from "@/server/audit/audit-alone";
import { toTimestamp, withTimes } from "@/server/kernel/batch-rows";
import type { ServiceContext } from "@/server/kernel/context";
import { log } from "@/server/kernel/log";
import { publicOrigin, settings } from "@/server/kernel/settings";
import { invalid } from "@/server/kernel/to-domain-error";
import {
  mailHost,
  mailIsOn,
  oneLine,
  type SentOutcome,
  sendMail,
  withoutSecrets,
} from "@/server/mail/send-mail";
import { emailOf } from "@/server/staff/second-person";
import { sendRequest } from "@/server/webhooks/send-request";
import { worstFirst } from "./inbox";
import { CHANNELS, type Channel, type Severity, type Words } from "./kinds";
import { minuteOf } from "./words";

export const TestInput = z.strictObject({ channel: z.enum(CHANNELS) });
export type TestInput = z.output<typeof TestInput>;

export type ChannelState = Awaited<ReturnType<typeof describeChannels>>[number];

export type Job = "look" | "look at points" | Channel;

/** Whether this instance may do a job now. If so, no instance may do it again for `seconds`. */
export async function takeTurn({ sql }: Database, job: Job, seconds: number): Promise<boolean> {
  const next = sql`now() + make_interval(secs => ${seconds}::int)`;
  const { count } = await sql`
    insert into alert_jobs as j (name, next_at) values (${job}, ${next})
    on conflict (name) do update set next_at = ${next} where j.next_at <= now() returning 1`;
  return count === 1;
}

/** Alerts listed per section of a message. The others are counted. */
const LINES_MAX = 10;

export interface SentAlert extends Words {
  severity: Severity;
  startedAt: string;
  clearedAt: string | null;
}

export interface Changes {
  /** Started before, and critical now. */
  risen: readonly SentAlert[];
  started: readonly SentAlert[];
  ended: readonly SentAlert[];
}

export type Message = { subject: string; text: string };

/** One message for all that started, became critical or ended. `consoleUrl` has only scheme and host. */
export function composeMessage({ risen, started, ended }: Changes, consoleUrl: string): Message {
  const news = [...risen, ...started];
  const [what, named] = news.length > 0 ? (["Alert", news] as const) : (["Resolved", ended] as const);
  const more = named.length - 1;
  const since = (alert: SentAlert) =>
    `${alert.title} (since ${minuteOf(alert.startedAt)} UTC). ${alert.remedy} ${consoleUrl}${alert.path}`;
  const parts = [
    listed("Now critical", risen, since),
    listed("Started", started, since),
    listed("Ended", ended, (alert) => {
      const until = minuteOf(alert.clearedAt ?? alert.startedAt);
      return `${alert.title} (${minuteOf(alert.startedAt)} to ${until} UTC)`;
    }),
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

/** In Slack's messages these three characters start links and mentions. */
export const slackText = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

const SECONDS_MAX = 10;
const ANSWER_BYTES_MAX = 1000;

/** Where a channel sends to; null when not set up. Of the webhook only the host: its path is a secret. */
export function targetOf(channel: Channel): string | null {
  const { ALERT_WEBHOOK_URL, ALERT_EMAIL_TO, SMTP_URL } = settings();
  if (channel === "webhook") return ALERT_WEBHOOK_URL ? new URL(ALERT_WEBHOOK_URL).host : null;
  return mailIsOn() && ALERT_EMAIL_TO ? `${ALERT_EMAIL_TO.join(", ")} through ${mailHost(SMTP_URL!)}` : null;
}

export async function describeChannels({ db: { sql } }: ServiceContext) {
  const rows = await sql<{ name: string; succeeded_at: string | null; failure: string | null }[]>`
    select name, succeeded_at, failure from alert_jobs where name in ('webhook', 'email')`;
  return CHANNELS.map((channel) => {
    const row = rows.find(({ name }) => name === channel);
    return {
      channel,
      target: targetOf(channel),
      lastSentAt: row?.succeeded_at ? toTimestamp(row.succeeded_at) : null,
      /** What the other side answered to the last attempt, if that failed. */
      failure: row?.failure ?? null,
    };
  });
}

/** Sends a message through a channel that is set up. Never throws. */
export async function sendTo(channel: Channel, message: Message): Promise<SentOutcome> {
  const { ALERT_WEBHOOK_URL, ALERT_EMAIL_TO } = settings();
  return channel === "email"
    ? await sendMail({ to: ALERT_EMAIL_TO!, subject: message.subject, text: `${message.text}\n` })
    : await post(ALERT_WEBHOOK_URL!, message);
}

/** The URL comes from the service's own operator, so it may be in a private network. */
async function post(url: string, { subject, text }: Message): Promise<SentOutcome> {
  const body = JSON.stringify({ text: slackText(`${subject}\n\n${text}`) });
  const headers = {
    "Content-Type": "application/json; charset=utf-8",
    "User-Agent": "point-transfer-batches",
  };
  const { statusCode, failure, answer } = await sendRequest(url, headers, body, {
    secondsMax: SECONDS_MAX,
    allowPrivate: true,
    answerBytesMax: ANSWER_BYTES_MAX,
  });
  const isSent = statusCode !== null && statusCode >= 200 && statusCode < 300;
  const said =
    statusCode === null ? (failure ?? "No answer.") : `HTTP ${statusCode} ${oneLine(answer ?? "")}`.trim();
  // Incoming webhooks have their secret in the path or the query.
  const { pathname, search, searchParams } = new URL(url);
  const secrets = [url, pathname + search, ...pathname.split("/"), ...searchParams.values()];
  return { isSent, answer: withoutSecrets(said, secrets) };
}

/** A start is sent when the condition has lasted this long, so that a restart sends none. */
const LASTS_SECONDS = 20;
/** At most one message per channel in this time. It is also how long an attempt belongs to one instance. */
const GAP_SECONDS = 60;
/** The wait doubles after each failed attempt, up to this. */
const WAIT_SECONDS_MAX = 900;
/** Alerts per message. The next message has the others. */
const ALERTS_MAX = 200;

type Row = SentAlert & { id: string; isEnd: boolean; isRise: boolean };

/** One message to each channel, from one instance. What could not be sent is sent later. */
export async function sendAlerts(db: Database): Promise<void> {
  const channels = CHANNELS.filter((channel) => targetOf(channel) !== null);
  await Promise.all(channels.map((channel) => sendToChannel(db, channel)));
}

async function sendToChannel(db: Database, channel: Channel): Promise<void> {
  const { sql } = db;
  if ((await unsent(db, channel, 1)).length === 0) return;
  if (!(await takeTurn(db, channel, GAP_SECONDS))) return;
  const rows = await unsent(db, channel, ALERTS_MAX);
  if (rows.length === 0) return;
  const shown = rows.map((row) => withTimes(row, "startedAt", "clearedAt"));
  const ended = shown.filter(({ isEnd }) => isEnd);
  const risen = shown.filter(({ isEnd, isRise }) => isRise && !isEnd);
  const started = shown.filter(({ isEnd, isRise }) => !isRise && !isEnd);
  const { isSent, answer } = await sendTo(channel, composeMessage({ risen, started, ended }, publicOrigin()));
  if (!isSent) {
    log().warn({ channel, answer }, "alerts could not be sent, they will be sent later");
    return await storeFailure(db, channel, answer);
  }
  // An alert that has ended or become critical since then is sent again next time.
  const column = sql(`${channel}_sent`);
  const ids = (sent: readonly Row[]) => sent.map(({ id }) => id);
  const critical = rows.filter(({ severity }) => severity === "critical");
  await sql`
    update alerts set ${column} = case
      when id = any(${ids(ended)}::uuid[]) then 'end'
      when severity = 'critical' and id <> all(${ids(critical)}::uuid[]) then 'outdated'
      else 'start' end
    where id = any(${ids(rows)}::uuid[])`;
  await storeSuccess(db, channel);
}

/** Reads first, since Citus cannot add a column's interval to now(). No other instance has this turn. */
async function storeFailure({ sql }: Database, channel: Channel, answer: string): Promise<void> {
  const [job] = await sql<{ failures: number }[]>`select failures from alert_jobs where name = ${channel}`;
  const failures = job?.failures ?? 0;
  const seconds = Math.min(WAIT_SECONDS_MAX, GAP_SECONDS * 2 ** Math.min(failures, 10));
  await sql`
    update alert_jobs set failures = ${failures + 1}::int, failure = ${answer},
      next_at = now() + make_interval(secs => ${seconds}::int)
    where name = ${channel}`;
}

export async function storeSuccess({ sql }: Database, channel: Channel): Promise<void> {
  await sql`
    insert into alert_jobs (name, next_at, succeeded_at) values (${channel}, now(), now())
    on conflict (name) do update set failures = 0, failure = null, succeeded_at = now()`;
}

/** Reads a few rows of a partial index. */
async function unsent({ sql }: Database, channel: Channel, limit: number): Promise<Row[]> {
  const column = sql(`${channel}_sent`);
  return await sql<Row[]>`
    select id, title, remedy, path, severity, started_at as "startedAt", cleared_at as "clearedAt",
      ended_at is not null as "isEnd", ${column} = 'outdated' as "isRise"
    from alerts
    where (webhook_sent <> 'end' or email_sent <> 'end')
      and ((${column} = 'nothing' and ended_at is null and cleared_at is null
          and started_at <= now() - make_interval(secs => ${LASTS_SECONDS}::int))
        or (${column} = 'outdated' and ended_at is null and cleared_at is null and severity = 'critical')
        or (${column} in ('start', 'outdated') and ended_at is not null))
    order by ${worstFirst(sql)} limit ${limit}`;
}

/** Returns what the other side answered. @throws DomainError `validation_failed` when it is not set up */
export async function sendTestAlert(ctx: ServiceContext, { channel }: TestInput): Promise<SentOutcome> {
  if (targetOf(channel) === null) throw invalid("This channel is not set up: see docs/alerts.md.");
  await auditAlone(ctx.db.sql, ctx, { action: "alert.test", target: `alerts:${channel}` });
  const { isSent, answer } = await sendTo(channel, {
    subject: "[Test] Point transfer batch alerts",
    text:
      `This is a test alert, sent by ${emailOf(ctx.actor)}. Alerts will arrive here.\n\n` +
      `${publicOrigin()}/inbox`,
  });
  if (isSent) {
    await storeSuccess(ctx.db, channel);
    // The channel works again, so alerts that could not be sent are sent now.
    await ctx.db.sql`update alert_jobs set next_at = now() where name = ${channel}`;
  }
  return { isSent, answer };
}
