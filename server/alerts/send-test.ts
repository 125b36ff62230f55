import type { ServiceContext } from "../kernel/context";
import { publicOrigin } from "../kernel/settings";
import { DomainError } from "../kernel/values/problems";
import { sendTo, targetOf } from "./channels";
import type { TestInput, TestReply } from "./console-schema";
import { storeSuccess } from "./send-alerts";

/** Sends a message that says it is a test, and returns what the other side answered. @throws DomainError `validation_failed` when the channel is not set up */
export async function sendTest(ctx: ServiceContext, { channel }: TestInput): Promise<TestReply> {
  if (targetOf(channel) === null) {
    const needed = channel === "webhook" ? "ALERT_WEBHOOK_URL" : "SMTP_URL, MAIL_FROM and ALERT_EMAIL_TO";
    throw new DomainError(
      "validation_failed",
      `This channel is not set up. Set ${needed}, then restart the service.`,
    );
  }
  await ctx.db.sql`
    insert into audit_log (actor, action, target, request_id)
    values (${ctx.actor}, 'alert.test', ${`alerts:${channel}`}, ${ctx.requestId})`;
  const { isSent, answer } = await sendTo(channel, {
    subject: "[Test] Point transfer batch alerts",
    text: `This is a test alert, sent by ${ctx.actor.replace(/^staff:/, "")}. Alerts will arrive here.\n\n${publicOrigin()}/inbox`,
  });
  if (isSent) {
    await storeSuccess(ctx.db, channel);
    // The channel works again, so alerts that could not be sent are sent now.
    await ctx.db.sql`update alert_jobs set next_at = now() where name = ${channel}`;
  }
  return { isSent, answer };
}
