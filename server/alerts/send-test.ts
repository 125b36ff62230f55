import type { ServiceContext } from "../kernel/context";
import { publicOrigin } from "../kernel/settings";
import { DomainError } from "../kernel/values/problems";
import { isSetUp, sendTo } from "./channels";
import type { TestInput, TestReply } from "./console-schema";
import { noteSent } from "./send-alerts";

/** Sends a message that says it is a test, and returns what the other side answered. @throws DomainError `validation_failed` when the channel is not set up */
export async function sendTest(ctx: ServiceContext, { channel }: TestInput): Promise<TestReply> {
  if (!isSetUp(channel)) {
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
    subject: "[Test] Alerts of point transfer batches",
    text: `This is a test, sent by ${ctx.actor.replace(/^staff:/, "")}. Alerts will arrive here.\n\n${publicOrigin()}/inbox`,
  });
  if (isSent) {
    await noteSent(ctx.db, channel);
    // It works again, so what waits does not have to wait longer.
    await ctx.db.sql`update alert_jobs set next_at = now() where name = ${channel}`;
  }
  return { isSent, answer };
}
