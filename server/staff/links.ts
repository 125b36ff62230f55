import { randomBytes } from "node:crypto";
import type { TransactionSql } from "postgres";
import type { Database } from "@/db/client";
import { baseOf } from "@/db/on-errand";
import { auditAlone } from "@/server/audit/audit-alone";
import { audited } from "@/server/audit/audited";
import {
  boundedPasswordWork,
  hashPassword,
  limitedTry,
  refuseCommonPassword,
  slotClaimOf,
} from "@/server/auth/passwords";
import { hashToken } from "@/server/auth/tokens";
import { toTimestamp } from "@/server/kernel/batch-rows";
import {
  type RequestContext,
  runLater,
  type ServiceContext,
  type StaffIdentity,
} from "@/server/kernel/context";
import { log } from "@/server/kernel/log";
import { publicOrigin } from "@/server/kernel/settings";
import { invalid, invalidField } from "@/server/kernel/to-domain-error";
import { mailIsOn, type SentOutcome, sendMail } from "@/server/mail/send-mail";
import type { DomainError } from "@/terms/problems";
import type {
  AcceptInvitationInput,
  InviteInput,
  NewLink,
  OpenInvitation,
  PersonInput,
  RequestResetInput,
} from "./schema";
import { givenBy, isUnderRule } from "./second-person";

const LINK_HOURS = 72;

/** The secret of a link: 256 random bits. Only its hash is stored. */
const makeLinkToken = () => randomBytes(32).toString("base64url");

const inUtc = (time: string) => `${time.slice(0, 16).replace("T", " ")} UTC`;

/** `at` is when the link was used or expired. */
const DEAD_LINKS = {
  used: (at: string | null) =>
    `This link was ${at ? `used on ${inUtc(at)}` : "already used"}. ` +
    "Sign in with the password that was set through it.",
  replaced: () => "A newer link replaced this one. Open the latest one.",
  expired: (at: string | null) => `This link expired on ${inUtc(at!)}. Ask an admin for a new one.`,
  unknown: () => "This link is not valid. Check that it is complete, or ask an admin for a new one.",
} as const;

export async function deadLink({ sql }: Database, token: string): Promise<DomainError> {
  const [link] = await sql<{ ended: "used" | "replaced" | "expired"; at: string | null }[]>`
    select coalesce(ended, 'expired') as ended, case when ended is null then expires_at else used_at end as at
    from staff_invitations join staff on staff.id = staff_id
    where token_hash = ${hashToken(token)} and disabled_at is null`;
  return invalid(link ? DEAD_LINKS[link.ended](link.at && toTimestamp(link.at)) : DEAD_LINKS.unknown());
}

/** Also makes a link to set a password, shown once. @throws DomainError `validation_failed` */
export async function invitePerson(ctx: ServiceContext, { email, role }: InviteInput): Promise<NewLink> {
  const token = makeLinkToken();
  const given = givenBy(ctx.db.sql, ctx.actor, await isUnderRule(ctx.db.sql));
  const detail = ctx.db.sql`jsonb_build_object('role', ${role}::text)`;
  const [made] = await ctx.db.sql<{ staff_id: string; expires_at: string }[]>`
    with made as (
      insert into staff (email, role, unconfirmed_by)
      select email, role, ${given}
      from (
        select ${email}::text as email, ${role}::staff_role as role, '{}'::text[] as unconfirmed_by
      ) as invited
      on conflict (email) do nothing returning id
    ), linked as (
      insert into staff_invitations (token_hash, staff_id, expires_at)
      select ${hashToken(token)}::bytea, id, now() + make_interval(hours => ${LINK_HOURS}::int) from made
      on conflict do nothing returning staff_id, expires_at
    ), ${audited(ctx, { action: "staff.invite", target: `staff:${email}`, detail, of: "made" })}
    select staff_id, expires_at from linked`;
  if (!made)
    throw invalidField(
      `A team member with the email ${email} already exists.`,
      "/email",
      "already belongs to a team member",
    );
  return { personId: made.staff_id, email, token, expiresAt: toTimestamp(made.expires_at) };
}

/** Revokes older links, but not the password: a lost link locks no one out. @throws DomainError */
export async function renewLink(ctx: ServiceContext, { personId }: PersonInput): Promise<NewLink> {
  const token = makeLinkToken();
  // A link that only its person gets gives nobody else the account.
  const given = givenBy(ctx.db.sql, ctx.actor, !mailIsOn() && (await isUnderRule(ctx.db.sql)));
  const [made] = await ctx.db.sql<{ email: string; expires_at: string }[]>`
    with person as (
      update staff set unconfirmed_by = ${given}
      where id = ${personId} and disabled_at is null returning id, email
    ), ended as (
      update staff_invitations i set ended = 'replaced'
      from person p where i.staff_id = p.id and i.ended is null
    ), linked as (
      insert into staff_invitations (token_hash, staff_id, expires_at)
      select ${hashToken(token)}::bytea, id, now() + make_interval(hours => ${LINK_HOURS}::int)
      from person
      on conflict do nothing returning expires_at
    ), ${audited(ctx, { action: "staff.link", target: ctx.db.sql`'staff:' || email`, of: "person" })}
    select email, expires_at from person, linked`;
  if (!made) throw invalid("The team member was not found or is disabled. Enable them first.");
  return { personId, email: made.email, token, expiresAt: toTimestamp(made.expires_at) };
}

/** The secret is in the URL's fragment, which browsers never send, so it is in no server's log. */
export const withAddress = ({ token, ...link }: NewLink) => ({
  ...link,
  url: `${publicOrigin()}/welcome#${token}`,
});

/** Who has the link has the account: under an approval rule it goes by mail only, if mail is set up. */
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
): Promise<SentOutcome | null> {
  if (!mailIsOn()) return null;
  const { host } = new URL(publicOrigin());
  const { subject, reason } = WORDS[occasion](host, by);
  return await sendMail({
    to: [link.email],
    subject,
    text: [
      reason,
      `Set your password:\n${link.url}`,
      `The link works once and expires on ${inUtc(link.expiresAt)}. Do not forward this email.`,
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
    reason:
      `Someone, probably you, requested a password reset on ${host}. ` +
      "Setting a new password signs you out everywhere.",
  }),
};

type PublicContext = Omit<ServiceContext, "actor"> & { clientAddress: string };

/** Does not use the link. @throws DomainError `validation_failed` for one that has ended, `rate_limited` */
export async function openInvitation(ctx: PublicContext, token: string): Promise<OpenInvitation> {
  const found = await limitedTry(ctx.db, { client: ctx.clientAddress }, () => findInvitation(ctx, token));
  if (!found) throw await deadLink(ctx.db, token);
  return found;
}

/** Ends all of the person's links and sessions. @throws DomainError `validation_failed`, `rate_limited` */
export async function acceptInvitation(
  ctx: PublicContext,
  { token, password }: AcceptInvitationInput,
): Promise<{ email: string }> {
  const tried = { client: ctx.clientAddress };
  const accepted = await limitedTry(ctx.db, tried, async () => {
    // Hashing is expensive, so it is skipped for an invalid link.
    const invitation = await findInvitation(ctx, token);
    if (!invitation) return null;
    refuseCommonPassword(password, invitation.email);
    const passwordHash = await boundedPasswordWork(slotClaimOf(tried), () => hashPassword(password));
    return storePassword(ctx, token, passwordHash);
  });
  if (!accepted) throw await deadLink(ctx.db, token);
  return accepted;
}

async function findInvitation(ctx: PublicContext, token: string): Promise<OpenInvitation | null> {
  const [found] = await ctx.db.sql<OpenInvitation[]>`
    select email, role, expires_at as "expiresAt" from staff_invitations join staff on staff.id = staff_id
    where token_hash = ${hashToken(token)}
      and ended is null and expires_at > now() and disabled_at is null`;
  return found ? { ...found, expiresAt: toTimestamp(found.expiresAt) } : null;
}

/** Not `audited`: the actor is known only once the link is found. */
async function storePassword(
  ctx: PublicContext,
  token: string,
  passwordHash: string,
): Promise<{ email: string } | null> {
  const [accepted] = await ctx.db.sql<{ email: string }[]>`
    with used as (
      update staff_invitations set ended = 'used', used_at = now()
      where token_hash = ${hashToken(token)} and ended is null and expires_at > now()
      returning staff_id
    ), changed as (
      update staff set password_hash = ${passwordHash}, session_epoch = session_epoch + 1
      from used where id = staff_id and disabled_at is null returning id, email
    ), ended as (
      update staff_invitations i set ended = 'replaced' from changed c
      where i.staff_id = c.id and i.ended is null and i.token_hash <> ${hashToken(token)}
    ), audited as (
      insert into audit_log (actor, action, target, request_id)
      select 'staff:' || email, 'staff.accept', 'staff:' || email, ${ctx.requestId} from changed
    )
    select email from changed`;
  return accepted ?? null;
}

const RESET_MINUTES = 60;
/** A person gets at most this many links within the lifetime of one, no matter how many are requested. */
const LINKS_MAX = 3;

type ResetContext = Pick<RequestContext, "db" | "requestId" | "clientAddress" | "later">;

/**
 * The reply is the same for every email address, and does not wait for anything that depends on it. Counts
 * like a wrong password from the client's address, but not against the person.
 * @throws DomainError `validation_failed` when the service sends no mail, `rate_limited`
 */
export async function requestReset(ctx: ResetContext, { email }: RequestResetInput): Promise<void> {
  if (!mailIsOn()) throw invalid("This service sends no email. Ask an admin for a link.");
  await limitedTry(ctx.db, { client: ctx.clientAddress }, async () => null);
  runLater(ctx, async () => {
    try {
      const link = await createResetLink(baseOf(ctx.db), ctx.requestId, email);
      const mailed = link && (await mailLink("reset", withAddress(link), link.email));
      if (mailed && !mailed.isSent)
        log().error({ answer: mailed.answer }, "a password reset link could not be sent");
    } catch (error) {
      log().error({ error, requestId: ctx.requestId }, "a password reset link could not be created");
    }
  });
}

/** Only for a person with a password. Replaces no admin's link: strangers must not be able to end it. */
async function createResetLink(db: Database, requestId: string, email: string): Promise<NewLink | null> {
  const token = makeLinkToken();
  return await db.sql.begin(async (tx) => {
    // The lock makes concurrent requests for one person count each other's links.
    const [person] = await tx<{ id: string }[]>`
      select id from staff
      where email = ${email} and disabled_at is null and password_hash is not null for update`;
    if (!person) return null;
    const tokenHash = hashToken(token);
    const { count } = await tx`
      with replaced as (
        update staff_invitations r set ended = 'replaced'
        where r.staff_id = ${person.id}::uuid and r.origin = 'sign-in' and r.ended is null
          and (${isBelowLimit(tx, person.id)})
      )
      insert into staff_invitations (token_hash, staff_id, origin, expires_at)
      select ${tokenHash}::bytea, ${person.id}::uuid, 'sign-in',
        now() + make_interval(mins => ${RESET_MINUTES}::int)
      where ${isBelowLimit(tx, person.id)}`;
    if (count === 0) return null;
    // Citus names a returned column's table wrongly here.
    const [made] = await tx<{ expires_at: string }[]>`
      select expires_at from staff_invitations where token_hash = ${tokenHash}`;
    const asked = { actor: "sign-in", requestId };
    await auditAlone(tx, asked, { action: "staff.reset", target: `staff:${email}` });
    return { personId: person.id, email, token, expiresAt: toTimestamp(made!.expires_at) };
  });
}

const isBelowLimit = (tx: TransactionSql, personId: string) => tx`(select count(*) from staff_invitations i
  where i.staff_id = ${personId}::uuid and i.origin = 'sign-in' and i.expires_at > now()) < ${LINKS_MAX}`;
