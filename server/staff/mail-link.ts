import type { ServiceContext } from "../kernel/context";
import { publicOrigin } from "../kernel/settings";
import type { StaffIdentity } from "../kernel/trpc-context";
import { mailIsOn, sendMail } from "../mail/send-mail";
import type { MailedLink, NewLink } from "./console-schema";
import { isUnderRule } from "./second-person";

/** The secret is in the URL fragment, which browsers never send to a server, so it does not appear in logs. */
export const withAddress = ({ token, ...link }: NewLink) => ({
  ...link,
  url: `${publicOrigin()}/welcome#${token}`,
});

/**
 * Sends a link that an admin created, and returns it for them to copy. Under an approval rule it goes by mail only, where mail
 * is set up, because who has the link has the account.
 */
export async function handOver(
  { db, staff }: ServiceContext & { staff: StaffIdentity },
  occasion: Occasion,
  newLink: NewLink,
) {
  const { url, ...link } = withAddress(newLink);
  const mailed = await mailLink(occasion, { url, ...link }, staff.email);
  return { ...link, mailed, url: mailed && (await isUnderRule(db.sql)) ? null : url };
}

type Occasion = "invitation" | "password" | "reset";

/** Sends a link to its person. Null when the service sends no mail. @param by the admin who created it */
export async function mailLink(
  occasion: Occasion,
  link: ReturnType<typeof withAddress>,
  by: string,
): Promise<MailedLink> {
  if (!mailIsOn()) return null;
  const { host } = new URL(publicOrigin());
  const { subject, reason } = WORDS[occasion](host, by);
  const expires = `${link.expiresAt.slice(0, 16).replace("T", " ")} UTC`;
  return await sendMail({
    to: [link.email],
    subject,
    text: [
      reason,
      `Set your password:\n${link.url}`,
      `The link works once and expires on ${expires}. Do not forward this email.`,
      "If you did not expect this, you can ignore it: nothing changes until the link is used.\n",
    ].join("\n\n"),
  });
}

const WORDS: Record<Occasion, (host: string, by: string) => { subject: string; reason: string }> = {
  invitation: (host, by) => ({
    subject: `You are invited to the staff console on ${host}`,
    reason: `${by} invited you to the staff console of the point transfer batch service on ${host}.`,
  }),
  password: (host, by) => ({
    subject: `Set a new password for ${host}`,
    reason: `${by} created a link for you to set a new password for the staff console on ${host}.`,
  }),
  reset: (host) => ({
    subject: `Reset your password for ${host}`,
    reason: `Someone, probably you, requested a password reset on ${host}. Setting a new password signs you out everywhere.`,
  }),
};
