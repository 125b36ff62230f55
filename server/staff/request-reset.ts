import type { TransactionSql } from "postgres";
import type { Database } from "@/db/client";
import { limitedTry } from "@/server/auth/passwords";
import { log } from "../kernel/log";
import type { RequestContext } from "../kernel/trpc-context";
import { toTimestamp } from "../kernel/values/batch-rows";
import { DomainError } from "../kernel/values/problems";
import { mailIsOn } from "../mail/send-mail";
import type { NewLink, RequestResetInput } from "./console-schema";
import { hashLinkToken, makeLinkToken } from "./links";
import { mailLink, withAddress } from "./mail-link";

/** Lifetime of a link that somebody requests on the sign-in page. */
const RESET_MINUTES = 60;
/** A person gets at most this many links within the lifetime of one, no matter how many are requested. */
const LINKS_MAX = 3;

type ResetContext = Pick<RequestContext, "db" | "requestId" | "clientAddress" | "later">;

/**
 * Emails a team member who has a password a link to set a new one. The reply is the same for every email address, and
 * does not wait for anything that depends on it. Counts like a wrong password from the client's address, but not against
 * the person, because strangers must not slow down their sign-in.
 * @throws DomainError `validation_failed` when the service sends no mail, `rate_limited`
 */
export async function requestReset(ctx: ResetContext, { email }: RequestResetInput): Promise<void> {
  if (!mailIsOn()) {
    throw new DomainError("validation_failed", "This service sends no email. Ask an admin for a link.");
  }
  await limitedTry(ctx.db, { client: ctx.clientAddress }, async () => null);
  const later = ctx.later ?? ((work) => void work());
  later(async () => {
    try {
      const link = await createResetLink(ctx.db, ctx.requestId, email);
      const mailed = link && (await mailLink("reset", withAddress(link), link.email));
      if (mailed && !mailed.isSent)
        log().error({ answer: mailed.answer }, "a password reset link could not be sent");
    } catch (error) {
      log().error({ error, requestId: ctx.requestId }, "a password reset link could not be created");
    }
  });
}

/**
 * Only for people with a password: the others sign in with OIDC or still have their invitation. A new link
 * replaces the person's earlier ones, but none that an admin created, because strangers must not be able to end that.
 */
async function createResetLink(db: Database, requestId: string, email: string): Promise<NewLink | null> {
  const token = makeLinkToken();
  return await db.sql.begin(async (tx) => {
    // The lock makes concurrent requests for one person count each other's links.
    const [person] = await tx<{ id: string }[]>`
      select id from staff where email = ${email} and disabled_at is null and password_hash is not null for update`;
    if (!person) return null;
    const tokenHash = hashLinkToken(token);
    const { count } = await tx`
      with replaced as (
        update staff_invitations set ended = 'replaced'
        where staff_id = ${person.id}::uuid and origin = 'sign-in' and ended is null
          and (${isBelowLimit(tx, person.id)})
      )
      insert into staff_invitations (token_hash, staff_id, origin, expires_at)
      select ${tokenHash}::bytea, ${person.id}::uuid, 'sign-in', now() + make_interval(mins => ${RESET_MINUTES}::int)
      where ${isBelowLimit(tx, person.id)}`;
    if (count === 0) return null;
    // Citus names a returned column's table wrongly here.
    const [made] = await tx<{ expires_at: string }[]>`
      select expires_at from staff_invitations where token_hash = ${tokenHash}`;
    await tx`
      insert into audit_log (actor, action, target, request_id)
      values ('sign-in', 'staff.reset', ${`staff:${email}`}, ${requestId})`;
    return { personId: person.id, email, token, expiresAt: toTimestamp(made!.expires_at) };
  });
}

const isBelowLimit = (tx: TransactionSql, personId: string) => tx`(select count(*) from staff_invitations i
  where i.staff_id = ${personId}::uuid and i.origin = 'sign-in' and i.expires_at > now()) < ${LINKS_MAX}`;
