import { type Settings, settings } from "../kernel/settings";
import { oneLine, withoutSecrets } from "../mail/answer-text";
import { mailIsOn, sendMail } from "../mail/send-mail";
import { sendRequest } from "../webhooks/send-request";
import { type Message, slackText } from "./compose";
import { CHANNELS, type Channel } from "./kinds";

const SECONDS_MAX = 10;
const ANSWER_BYTES_MAX = 1000;

export interface ChannelOutcome {
  isSent: boolean;
  /** What the other side answered, or why it did not. One line, without secrets. */
  answer: string;
}

type ChannelSettings = Pick<Settings, "ALERT_WEBHOOK_URL" | "ALERT_EMAIL_TO" | "SMTP_URL" | "MAIL_FROM">;

/** Whether a channel is set up. */
export function isSetUp(channel: Channel, given: ChannelSettings = settings()): boolean {
  if (channel === "webhook") return given.ALERT_WEBHOOK_URL !== undefined;
  return mailIsOn(given) && given.ALERT_EMAIL_TO !== undefined;
}

export const channelsSetUp = () => CHANNELS.filter((channel) => isSetUp(channel));

/** Sends a message. Never throws. */
export async function sendTo(channel: Channel, message: Message): Promise<ChannelOutcome> {
  const { ALERT_WEBHOOK_URL, ALERT_EMAIL_TO } = settings();
  if (channel === "email")
    return await sendMail({ to: ALERT_EMAIL_TO ?? [], subject: message.subject, text: `${message.text}\n` });
  if (!ALERT_WEBHOOK_URL) return { isSent: false, answer: "ALERT_WEBHOOK_URL is not set." };
  return await post(ALERT_WEBHOOK_URL, message);
}

/** The URL comes from the service's own operator, so it may be in a private network. */
async function post(url: string, { subject, text }: Message): Promise<ChannelOutcome> {
  const body = JSON.stringify({ text: slackText(`${subject}\n\n${text}`) });
  const headers = {
    "Content-Type": "application/json; charset=utf-8",
    "User-Agent": "point-transfer-batches",
  };
  const {
    statusCode,
    failure,
    answer = "",
  } = await sendRequest(url, headers, body, {
    secondsMax: SECONDS_MAX,
    allowPrivate: true,
    answerBytesMax: ANSWER_BYTES_MAX,
  });
  const isSent = statusCode !== null && statusCode >= 200 && statusCode < 300;
  const said =
    statusCode === null ? (failure ?? "No answer.") : `HTTP ${statusCode} ${oneLine(answer)}`.trim();
  return { isSent, answer: withoutSecrets(said, secretsOf(url)) };
}

/** Incoming webhooks have their secret in the path or the query. */
function secretsOf(url: string): string[] {
  const { pathname, search } = new URL(url);
  return [url, pathname + search, ...pathname.split("/"), ...new URL(url).searchParams.values()];
}
