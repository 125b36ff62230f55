import type { ServiceContext } from "../kernel/context";
import { settings } from "../kernel/settings";
import { toTimestamp } from "../kernel/values/batch-rows";
import { oneLine, withoutSecrets } from "../mail/answer-text";
import { mailHost, mailIsOn, sendMail } from "../mail/send-mail";
import { sendRequest } from "../webhooks/send-request";
import { type Message, slackText } from "./compose";
import type { ChannelState, TestReply } from "./console-schema";
import { CHANNELS, type Channel } from "./kinds";

const SECONDS_MAX = 10;
const ANSWER_BYTES_MAX = 1000;

/** Where a channel sends to; null when it is not set up. The webhook's host only, because its path is a secret. */
export function targetOf(channel: Channel): string | null {
  const { ALERT_WEBHOOK_URL, ALERT_EMAIL_TO, SMTP_URL } = settings();
  if (channel === "webhook") return ALERT_WEBHOOK_URL ? new URL(ALERT_WEBHOOK_URL).host : null;
  return mailIsOn() && ALERT_EMAIL_TO ? `${ALERT_EMAIL_TO.join(", ")} through ${mailHost(SMTP_URL!)}` : null;
}

/** Where alerts are sent, and whether that works. */
export async function describeChannels({ db: { sql } }: ServiceContext): Promise<ChannelState[]> {
  const rows = await sql<{ name: string; succeeded_at: string | null; failure: string | null }[]>`
    select name, succeeded_at, failure from alert_jobs where name in ('webhook', 'email')`;
  return CHANNELS.map((channel) => {
    const row = rows.find(({ name }) => name === channel);
    return {
      channel,
      target: targetOf(channel),
      lastSentAt: row?.succeeded_at ? toTimestamp(row.succeeded_at) : null,
      failure: row?.failure ?? null,
    };
  });
}

/** Sends a message through a channel that is set up. Never throws. */
export async function sendTo(channel: Channel, message: Message): Promise<TestReply> {
  const { ALERT_WEBHOOK_URL, ALERT_EMAIL_TO } = settings();
  return channel === "email"
    ? await sendMail({ to: ALERT_EMAIL_TO!, subject: message.subject, text: `${message.text}\n` })
    : await post(ALERT_WEBHOOK_URL!, message);
}

/** The URL comes from the service's own operator, so it may be in a private network. */
async function post(url: string, { subject, text }: Message): Promise<TestReply> {
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
  return { isSent, answer: withoutSecrets(said, secretsOf(url)) };
}

/** Incoming webhooks have their secret in the path or the query. */
function secretsOf(url: string): string[] {
  const { pathname, search, searchParams } = new URL(url);
  return [url, pathname + search, ...pathname.split("/"), ...searchParams.values()];
}
