import { randomUUID } from "node:crypto";
import type { Database } from "@/db/client";
import { settings } from "../kernel/settings";
import type { StaffIdentity } from "../kernel/trpc-context";
import { toTimestamp } from "../kernel/values/batch-rows";

/** A request updates the time of the last use only if it is older than this. */
const USE_NOTED_EVERY_MINUTES = 5;
/** A person's oldest sessions end when they open more, so that repeated sign-ins cannot fill the table. */
const SESSIONS_PER_PERSON_MAX = 50;

interface NewSession {
  staffId: string;
  /** The person's epoch when their password or claims were checked. */
  epoch: number;
  device: string;
  /** The session that this browser had before, which ends. */
  replaces: string | null;
}

/** Opens a session. @returns its ID; null when the person was disabled, or signed out everywhere, since the check */
export async function openSession(
  db: Database,
  { staffId, epoch, device, replaces }: NewSession,
): Promise<string | null> {
  const id = randomUUID();
  // Returns a constant: Citus names the table of a returned column wrongly here.
  const { count } = await db.sql`
    with ended as (
      delete from staff_sessions e where e.id = ${replaces}::uuid or e.id in (
        select o.id from staff_sessions o where o.staff_id = ${staffId} order by o.last_used_at desc, o.id
        offset ${SESSIONS_PER_PERSON_MAX - 1})
    )
    insert into staff_sessions (id, staff_id, epoch, device)
    select ${id}::uuid, p.id, p.session_epoch, ${device}::text from staff p
    where p.id = ${staffId} and p.session_epoch = ${epoch} and p.disabled_at is null
    returning 1`;
  return count === 1 ? id : null;
}

export interface LiveSession extends StaffIdentity {
  /** RFC 3339; when the session ends unless it is used before. */
  expiresAt: string;
}

/** Whether a row of `staff_sessions s` is neither idle nor too old. Changed settings apply to open sessions too. */
export function isLive({ sql }: Database) {
  const { SESSION_IDLE_MINUTES, SESSION_MAX_HOURS } = settings();
  return sql`s.last_used_at > now() - make_interval(mins => ${SESSION_IDLE_MINUTES}::int)
    and s.created_at > now() - make_interval(hours => ${SESSION_MAX_HOURS}::int)`;
}

/**
 * The person of a session, with their current role; null when the session has ended. Reads the session and the person, and
 * stores the use, in one statement.
 */
export async function readSession(db: Database, sessionId: string): Promise<LiveSession | null> {
  const { SESSION_IDLE_MINUTES, SESSION_MAX_HOURS } = settings();
  const [found] = await db.sql<(StaffIdentity & { expires_at: string })[]>`
    with used as (
      update staff_sessions s set last_used_at = now()
      where id = ${sessionId} and ${isLive(db)}
        and last_used_at < now() - make_interval(mins => ${USE_NOTED_EVERY_MINUTES}::int)
    )
    select p.email, p.role, s.id as "sessionId",
      least(s.last_used_at + make_interval(mins => ${SESSION_IDLE_MINUTES}::int),
        s.created_at + make_interval(hours => ${SESSION_MAX_HOURS}::int)) as expires_at
    from staff_sessions s join staff p on p.id = s.staff_id and p.session_epoch = s.epoch
    where s.id = ${sessionId} and p.disabled_at is null and ${isLive(db)}`;
  if (!found) return null;
  const { expires_at: expiresAt, ...person } = found;
  return { ...person, expiresAt: toTimestamp(expiresAt) };
}

/** Ends a session. Its cookie, and every copy of it, then gives no access. */
export async function endSession(db: Database, sessionId: string): Promise<void> {
  await db.sql`delete from staff_sessions where id = ${sessionId}`;
}
