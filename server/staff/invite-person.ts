import type { ServiceContext } from "../kernel/context";
import { toTimestamp } from "../kernel/values/batch-rows";
import { DomainError } from "../kernel/values/problems";
import type { InviteInput, NewLink } from "./console-schema";
import { hashLinkToken, LINK_HOURS, makeLinkToken } from "./link";

/**
 * Adds a team member without a password, and returns a link to set one. The link is never shown again.
 * @throws DomainError `validation_failed` when the email is taken
 */
export async function invitePerson(ctx: ServiceContext, { email, role }: InviteInput): Promise<NewLink> {
  const token = makeLinkToken();
  const [made] = await ctx.db.sql<{ staff_id: string; expires_at: string }[]>`
    with made as (
      insert into staff (email, role) values (${email}, ${role}::staff_role)
      on conflict (email) do nothing returning id
    ), linked as (
      insert into staff_invitations (token_hash, staff_id, expires_at)
      select ${hashLinkToken(token)}::bytea, id, now() + make_interval(hours => ${LINK_HOURS}::int) from made
      returning staff_id, expires_at
    ), audited as (
      insert into audit_log (actor, action, target, detail, request_id)
      select ${ctx.actor}, 'staff.invite', ${`staff:${email}`}, jsonb_build_object('role', ${role}::text), ${ctx.requestId}
      from made
    )
    select staff_id, expires_at from linked`;
  if (!made) {
    throw new DomainError("validation_failed", `A team member with the email ${email} already exists.`, {
      errors: [{ pointer: "/email", code: "invalid_value", detail: "already belongs to a team member" }],
    });
  }
  return { personId: made.staff_id, email, token, expiresAt: toTimestamp(made.expires_at) };
}
