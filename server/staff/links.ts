import { createHash, randomBytes } from "node:crypto";
import type { Database } from "@/db/client";
import { audited } from "../audit/audited";
import type { ServiceContext } from "../kernel/context";
import { toTimestamp } from "../kernel/values/batch-rows";
import { DomainError } from "../kernel/values/problems";
import { mailIsOn } from "../mail/send-mail";
import type { InviteInput, NewLink, PersonInput } from "./console-schema";
import { givenBy, isUnderRule } from "./second-person";

/** Lifetime of a link that an admin creates. */
const LINK_HOURS = 72;

/** The secret of a link: 256 random bits. Only its hash is stored. */
export const makeLinkToken = () => randomBytes(32).toString("base64url");

export const hashLinkToken = (token: string) => createHash("sha256").update(token).digest();

const DEAD_LINKS = {
  used: "This link was already used. Sign in with the password that was set through it.",
  replaced: "A newer link replaced this one. Open the latest one.",
  expired: "This link has expired. Ask an admin for a new one.",
  unknown: "This link is not valid. Check that it is complete, or ask an admin for a new one.",
} as const;

/** Why a link does not work. */
export async function deadLink({ sql }: Database, token: string): Promise<DomainError> {
  const [link] = await sql<{ ended: "used" | "replaced" | null }[]>`
    select ended from staff_invitations join staff on staff.id = staff_id
    where token_hash = ${hashLinkToken(token)} and disabled_at is null`;
  return new DomainError("validation_failed", DEAD_LINKS[link ? (link.ended ?? "expired") : "unknown"]);
}

/**
 * Adds a team member without a password, and returns a link to set one. The link is never shown again.
 * @throws DomainError `validation_failed` when the email is taken
 */
export async function invitePerson(ctx: ServiceContext, { email, role }: InviteInput): Promise<NewLink> {
  const token = makeLinkToken();
  const given = givenBy(ctx.db.sql, ctx.actor, await isUnderRule(ctx.db.sql));
  const detail = ctx.db.sql`jsonb_build_object('role', ${role}::text)`;
  const [made] = await ctx.db.sql<{ staff_id: string; expires_at: string }[]>`
    with made as (
      insert into staff (email, role, unconfirmed_by)
      select email, role, ${given}
      from (select ${email}::text as email, ${role}::staff_role as role, '{}'::text[] as unconfirmed_by) as invited
      on conflict (email) do nothing returning id
    ), linked as (
      insert into staff_invitations (token_hash, staff_id, expires_at)
      select ${hashLinkToken(token)}::bytea, id, now() + make_interval(hours => ${LINK_HOURS}::int) from made
      returning staff_id, expires_at
    ), ${audited(ctx, { action: "staff.invite", target: `staff:${email}`, detail, of: "made" })}
    select staff_id, expires_at from linked`;
  if (!made) {
    throw new DomainError("validation_failed", `A team member with the email ${email} already exists.`, {
      errors: [{ pointer: "/email", code: "invalid_value", detail: "already belongs to a team member" }],
    });
  }
  return { personId: made.staff_id, email, token, expiresAt: toTimestamp(made.expires_at) };
}

/**
 * Creates a link to set a new password and revokes older links. The current password, if any, works until the link is
 * used, so a lost link locks no one out.
 * @throws DomainError `validation_failed` when the person is not found or is disabled
 */
export async function renewLink(ctx: ServiceContext, { personId }: PersonInput): Promise<NewLink> {
  const token = makeLinkToken();
  // A link that only its person gets gives nobody else the account.
  const given = givenBy(ctx.db.sql, ctx.actor, !mailIsOn() && (await isUnderRule(ctx.db.sql)));
  const [made] = await ctx.db.sql<{ email: string; expires_at: string }[]>`
    with person as (
      update staff set unconfirmed_by = ${given} where id = ${personId} and disabled_at is null returning id, email
    ), ended as (
      update staff_invitations i set ended = 'replaced' from person p where i.staff_id = p.id and i.ended is null
    ), linked as (
      insert into staff_invitations (token_hash, staff_id, expires_at)
      select ${hashLinkToken(token)}::bytea, id, now() + make_interval(hours => ${LINK_HOURS}::int) from person
      returning expires_at
    ), ${audited(ctx, { action: "staff.link", target: ctx.db.sql`'staff:' || email`, of: "person" })}
    select email, expires_at from person, linked`;
  if (!made) {
    throw new DomainError(
      "validation_failed",
      "The team member was not found or is disabled. Enable them first.",
    );
  }
  return { personId, email: made.email, token, expiresAt: toTimestamp(made.expires_at) };
}
