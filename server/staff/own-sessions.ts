import { isLive } from "../auth/sessions";
import type { ServiceContext } from "../kernel/context";
import type { StaffIdentity } from "../kernel/trpc-context";
import { toTimestamp } from "../kernel/values/batch-rows";
import type { OwnSession, SessionInput } from "./console-schema";

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
