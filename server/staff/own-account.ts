import type { TransactionSql } from "postgres";
import type { Database } from "@/db/client";
import { audited } from "@/server/audit/audited";
import { findStaff } from "@/server/auth/find-staff";
import {
  boundedPasswordWork,
  hashPassword,
  limitedTry,
  OWN_SESSION,
  refuseCommonPassword,
  slotClaimOf,
  verifyPassword,
} from "@/server/auth/passwords";
import { isLive } from "@/server/auth/sessions";
import type { ServiceContext } from "@/server/kernel/context";
import { log } from "@/server/kernel/log";
import type { RequestContext, StaffIdentity } from "@/server/kernel/trpc-context";
import { toTimestamp } from "@/server/kernel/values/batch-rows";
import { DomainError } from "@/server/kernel/values/problems";
import { mailIsOn } from "@/server/mail/send-mail";
import { hashLinkToken, mailLink, makeLinkToken, withAddress } from "./links";
import type { ChangeOwnPasswordInput, NewLink, OwnSession, RequestResetInput, SessionInput } from "./schema";

type OwnContext = ServiceContext & { staff: StaffIdentity };

/** The user's own sessions, the current one first, then the most recently used. */
export async function listOwnSessions({ db, staff }: OwnContext): Promise<OwnSession[]> {
  const rows = await db.sql<Omit<OwnSession, "isCurrent">[]>`
    select s.id, s.device, s.created_at as "signedInAt", s.last_used_at as "lastUsedAt"
    from staff_sessions s join staff p on p.id = s.staff_id and p.session_epoch = s.epoch
    where p.email = ${staff.email} and ${isLive(db)}
    order by s.id = ${staff.sessionId} desc, s.last_used_at desc, s.id`;
  return rows.map((row) => ({
    ...row,
    signedInAt: toTimestamp(row.signedInAt),
    lastUsedAt: toTimestamp(row.lastUsedAt),
    isCurrent: row.id === staff.sessionId,
  }));
}

/** Ends one of the user's own sessions. Does nothing if it has already ended, or belongs to another person. */
export async function endOwnSession(ctx: OwnContext, { sessionId }: SessionInput): Promise<void> {
  await ctx.db.sql`
    with ended as (
      delete from staff_sessions s using staff p
      where s.id = ${sessionId} and p.id = s.staff_id and p.email = ${ctx.staff.email} returning p.email, s.device
    )
    insert into audit_log (actor, action, target, detail, request_id)
    select ${ctx.actor}, 'staff.session', 'staff:' || email, jsonb_build_object('device', device), ${ctx.requestId} from ended`;
}

/** Ends all of the user's sessions, including the current one and any sign-in that is under way. */
export async function endAllOwnSessions(ctx: OwnContext): Promise<void> {
  await ctx.db.sql`
    with changed as (
      update staff set session_epoch = session_epoch + 1 where email = ${ctx.staff.email} returning id, email
    ), ended as (
      delete from staff_sessions s using changed c where s.staff_id = c.id
    )
    insert into audit_log (actor, action, target, request_id)
    select ${ctx.actor}, 'staff.sessions', 'staff:' || email, ${ctx.requestId} from changed`;
}

type PasswordContext = ServiceContext & { staff: StaffIdentity; clientAddress: string };

/**
 * Changes the user's own password and ends all their sessions, including the current one.
 * @throws DomainError `validation_failed` when the old one is wrong or not set, or the new one is easy to guess; `rate_limited`
 */
export async function changeOwnPassword(ctx: PasswordContext, input: ChangeOwnPasswordInput): Promise<void> {
  const { email } = ctx.staff;
  refuseCommonPassword(input.newPassword, email, "/newPassword");
  const person = await findStaff(ctx.db, email);
  const stored = person?.passwordHash;
  if (!stored) {
    throw new DomainError(
      "validation_failed",
      "Your account has no password. Ask an admin for a link to set one.",
    );
  }
  const tried = { client: ctx.clientAddress, email, device: OWN_SESSION };
  const passwordHash = await limitedTry(ctx.db, tried, () =>
    boundedPasswordWork(slotClaimOf(tried), async () =>
      (await verifyPassword(input.oldPassword, stored)) ? hashPassword(input.newPassword) : null,
    ),
  );
  if (!passwordHash) throw wrongOldPassword();
  // Compares the previous hash, so that only one of two concurrent changes with the same old password succeeds.
  const [changed] = await ctx.db.sql`
    with changed as (
      update staff set password_hash = ${passwordHash}, session_epoch = session_epoch + 1
      where id = ${person.id} and password_hash = ${stored} and disabled_at is null returning id, email
    ), ended as (
      delete from staff_invitations i using changed c where i.staff_id = c.id
    ), ${audited(ctx, { action: "staff.password", target: ctx.actor, of: "changed" })}
    select 1 from changed`;
  if (!changed) throw wrongOldPassword();
}

const wrongOldPassword = () =>
  new DomainError("validation_failed", "The current password is incorrect.", {
    errors: [{ pointer: "/oldPassword", code: "invalid_value", detail: "is incorrect" }],
  });

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
