import { audited } from "@/server/audit/audited";
import {
  boundedPasswordWork,
  hashPassword,
  limitedTry,
  OWN_SESSION,
  refuseCommonPassword,
  slotClaimOf,
  verifyPassword,
} from "@/server/auth/passwords";
import { findStaff, isLive } from "@/server/auth/sessions";
import { withTimes } from "@/server/kernel/batch-rows";
import type { ServiceContext, StaffIdentity } from "@/server/kernel/context";
import { invalid, invalidField } from "@/server/kernel/to-domain-error";
import type { ChangeOwnPasswordInput, OwnSession, SessionInput } from "./schema";

type PasswordContext = OwnContext & { clientAddress: string };

/** Ends all of the user's sessions, this one too. @throws DomainError `validation_failed`, `rate_limited` */
export async function changeOwnPassword(ctx: PasswordContext, input: ChangeOwnPasswordInput): Promise<void> {
  const { email } = ctx.staff;
  refuseCommonPassword(input.newPassword, email, "/newPassword");
  const person = await findStaff(ctx.db, email);
  const stored = person?.passwordHash;
  if (!stored) throw invalid("Your account has no password. Ask an admin for a link to set one.");
  const tried = { client: ctx.clientAddress, email, device: OWN_SESSION };
  const passwordHash = await limitedTry(ctx.db, tried, () =>
    boundedPasswordWork(slotClaimOf(tried), async () =>
      (await verifyPassword(input.oldPassword, stored)) ? hashPassword(input.newPassword) : null,
    ),
  );
  if (!passwordHash) throw wrongOldPassword();
  // Compares the previous hash: only one of two concurrent changes with the same old password succeeds.
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
  invalidField("The current password is incorrect.", "/oldPassword", "is incorrect");

type OwnContext = ServiceContext & { staff: StaffIdentity };

export async function listOwnSessions({ db, staff }: OwnContext): Promise<OwnSession[]> {
  const rows = await db.sql<Omit<OwnSession, "isCurrent">[]>`
    select s.id, s.device, s.created_at as "signedInAt", s.last_used_at as "lastUsedAt"
    from staff_sessions s join staff p on p.id = s.staff_id and p.session_epoch = s.epoch
    where p.email = ${staff.email} and ${isLive(db)}
    order by s.id = ${staff.sessionId} desc, s.last_used_at desc, s.id`;
  return rows.map((row) => ({
    ...withTimes(row, "signedInAt", "lastUsedAt"),
    isCurrent: row.id === staff.sessionId,
  }));
}

/** Does nothing to a session that has already ended, or belongs to another person. */
export async function endOwnSession(ctx: OwnContext, { sessionId }: SessionInput): Promise<void> {
  const { sql } = ctx.db;
  const detail = sql`jsonb_build_object('device', device)`;
  await sql`
    with ended as (
      delete from staff_sessions s using staff p
      where s.id = ${sessionId} and p.id = s.staff_id and p.email = ${ctx.staff.email}
      returning s.device
    ), ${audited(ctx, { action: "staff.session", target: ctx.actor, detail, of: "ended" })}
    select 1 from ended`;
}

/** Ends all of the user's sessions, including the current one and any sign-in that is under way. */
export async function endAllOwnSessions(ctx: OwnContext): Promise<void> {
  await ctx.db.sql`
    with changed as (
      update staff set session_epoch = session_epoch + 1 where email = ${ctx.staff.email} returning id, email
    ), ended as (
      delete from staff_sessions s using changed c where s.staff_id = c.id
    ), ${audited(ctx, { action: "staff.sessions", target: ctx.actor, of: "changed" })}
    select 1 from changed`;
}
