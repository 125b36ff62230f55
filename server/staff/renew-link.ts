import type { ServiceContext } from "../kernel/context";
import { toTimestamp } from "../kernel/values/batch-rows";
import { DomainError } from "../kernel/values/problems";
import type { NewLink, PersonInput } from "./console-schema";
import { hashLinkToken, LINK_HOURS, makeLinkToken } from "./link";

/**
 * Creates a link to set a new password and revokes older links. The current password, if any, works until the link is
 * used, so a lost link locks no one out.
 * @throws DomainError `validation_failed` when the person is not found or is disabled
 */
export async function renewLink(ctx: ServiceContext, { personId }: PersonInput): Promise<NewLink> {
  const token = makeLinkToken();
  const [made] = await ctx.db.sql<{ email: string; expires_at: string }[]>`
    with person as (
      select id, email from staff where id = ${personId} and disabled_at is null for update
    ), ended as (
      delete from staff_invitations i using person p where i.staff_id = p.id
    ), linked as (
      insert into staff_invitations (token_hash, staff_id, expires_at)
      select ${hashLinkToken(token)}::bytea, id, now() + make_interval(hours => ${LINK_HOURS}::int) from person
      returning expires_at
    ), audited as (
      insert into audit_log (actor, action, target, request_id)
      select ${ctx.actor}, 'staff.link', 'staff:' || email, ${ctx.requestId} from person
    )
    select email, expires_at from person, linked`;
  if (!made) {
    throw new DomainError(
      "validation_failed",
      "The team member was not found or is disabled. Enable them first.",
    );
  }
  return { personId, email: made.email, token, expiresAt: toTimestamp(made.expires_at) };
}
