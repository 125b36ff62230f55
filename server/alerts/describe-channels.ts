import type { ServiceContext } from "../kernel/context";
import { settings } from "../kernel/settings";
import { toTimestamp } from "../kernel/values/batch-rows";
import { mailHost } from "../mail/send-mail";
import { isSetUp } from "./channels";
import type { ChannelState } from "./console-schema";
import { CHANNELS, type Channel } from "./kinds";

interface Row {
  name: string;
  succeeded_at: string | null;
  failure: string | null;
}

/** Where alerts are sent, and whether that works. */
export async function describeChannels({ db: { sql } }: ServiceContext): Promise<ChannelState[]> {
  const rows = await sql<
    Row[]
  >`select name, succeeded_at, failure from alert_jobs where name in ('webhook', 'email')`;
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

/** The webhook's host only: its path is a secret. */
function targetOf(channel: Channel): string | null {
  const { ALERT_WEBHOOK_URL, ALERT_EMAIL_TO, SMTP_URL } = settings();
  if (!isSetUp(channel)) return null;
  if (channel === "webhook") return new URL(ALERT_WEBHOOK_URL!).host;
  return `${ALERT_EMAIL_TO!.join(", ")} through ${mailHost(SMTP_URL!)}`;
}
