import {
  boundedPasswordWork,
  hashPassword,
  limitedTry,
  refuseCommonPassword,
  slotClaimOf,
} from "@/server/auth/passwords";
import type { ServiceContext } from "../kernel/context";
import { toTimestamp } from "../kernel/values/batch-rows";
import type { AcceptInvitationInput, OpenInvitation } from "./console-schema";
import { deadLink, hashLinkToken } from "./links";

type PublicContext = Omit<ServiceContext, "actor"> & { clientAddress: string };

/** The person a link is for. Does not use the link. @throws DomainError `validation_failed` when it no longer works, `rate_limited` */
export async function openInvitation(ctx: PublicContext, token: string): Promise<OpenInvitation> {
  const found = await limitedTry(ctx.db, { client: ctx.clientAddress }, () => findInvitation(ctx, token));
  if (!found) throw await deadLink(ctx.db, token);
  return found;
}

/**
 * Sets a password through a link. This ends all of the person's links and sessions.
 * @throws DomainError `validation_failed` when the link no longer works or the password is easy to guess, `rate_limited`
 */
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
    where token_hash = ${hashLinkToken(token)} and ended is null and expires_at > now() and disabled_at is null`;
  return found ? { ...found, expiresAt: toTimestamp(found.expiresAt) } : null;
}

async function storePassword(
  ctx: PublicContext,
  token: string,
  passwordHash: string,
): Promise<{ email: string } | null> {
  const [accepted] = await ctx.db.sql<{ email: string }[]>`
    with used as (
      update staff_invitations set ended = 'used'
      where token_hash = ${hashLinkToken(token)} and ended is null and expires_at > now()
      returning staff_id
    ), changed as (
      update staff set password_hash = ${passwordHash}, session_epoch = session_epoch + 1
      from used where id = staff_id and disabled_at is null returning id, email
    ), ended as (
      update staff_invitations i set ended = 'replaced' from changed c
      where i.staff_id = c.id and i.ended is null and i.token_hash <> ${hashLinkToken(token)}
    ), audited as (
      insert into audit_log (actor, action, target, request_id)
      select 'staff:' || email, 'staff.accept', 'staff:' || email, ${ctx.requestId} from changed
    )
    select email from changed`;
  return accepted ?? null;
}
