import { createHmac, randomBytes, randomUUID, timingSafeEqual } from "node:crypto";
import Bowser from "bowser";
import { eq } from "drizzle-orm";
import type { Database } from "@/db/client";
import { staff } from "@/db/schema/access";
import { withTimes } from "@/server/kernel/batch-rows";
import type { StaffIdentity } from "@/server/kernel/context";
import { settings } from "@/server/kernel/settings";

const LENGTH_MAX = 100;
const HEADER_LENGTH_MAX = 1000;

/** A browser's name for the list of sessions, such as "Firefox on Windows", from its `User-Agent` header. */
export function describeDevice(userAgent: string | null): string {
  const { browser, os } = Bowser.parse(userAgent?.slice(0, HEADER_LENGTH_MAX) || "unknown");
  const names = [browser.name || "Unknown browser", os.name].filter(Boolean);
  return names.join(" on ").slice(0, LENGTH_MAX);
}

export const KNOWN_DEVICE_SECONDS = 365 * 24 * 60 * 60;

/**
 * The value of a cookie which shows that a device signed in as this person before. It gives no access. The
 * device's wrong passwords are counted separately from everyone else's. Nothing is stored, and the cookie
 * does not contain the email.
 * @param deviceId of the device's previous cookie, if it has one
 */
export function sealDevice(email: string, secret: string, deviceId: string | null): string {
  const id = deviceId ?? randomBytes(16).toString("base64url");
  const expiresAt = Math.floor(Date.now() / 1000) + KNOWN_DEVICE_SECONDS;
  const fields = `${id}.${expiresAt}`;
  return `${fields}.${mac(fields, email, secret).toString("base64url")}`;
}

/** The device's ID; null when the cookie is another person's, or has expired. The same for unknown emails. */
export function openDevice(cookie: string | undefined, email: string, secret: string): string | null {
  const [id = "", expiresAt = "", seal = "", ...more] = (cookie ?? "").split(".");
  const expected = mac(`${id}.${expiresAt}`, email, secret);
  const given = Buffer.from(seal, "base64url");
  if (more.length > 0 || given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
  return Number(expiresAt) * 1000 > Date.now() ? id : null;
}

const mac = (fields: string, email: string, secret: string) =>
  createHmac("sha256", secret).update(`known-device\n${fields}\n${email.toLowerCase()}`).digest();

/** A request updates the time of the last use only if it is older than this. */
const USE_NOTED_EVERY_MINUTES = 5;
/** A person's oldest sessions end when they open more, so that repeated sign-ins cannot fill the table. */
const SESSIONS_PER_PERSON_MAX = 50;

interface NewSession {
  staffId: string;
  /** The person's epoch when their password or claims were checked. */
  epoch: number;
  device: string;
  replaces: string | null;
}

/** Returns the session's ID; null when the person was disabled or signed out since the check. */
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
  expiresAt: string;
  /** Until another admin confirms the access, the person approves nothing. */
  isUnconfirmed: boolean;
}

/** Whether a row of `staff_sessions s` is neither idle nor too old, by the current settings. */
export function isLive({ sql }: Database) {
  const { SESSION_IDLE_MINUTES, SESSION_MAX_HOURS } = settings();
  return sql`s.last_used_at > now() - make_interval(mins => ${SESSION_IDLE_MINUTES}::int)
    and s.created_at > now() - make_interval(hours => ${SESSION_MAX_HOURS}::int)`;
}

/** The person of a session; null when it has ended. Stores the use in the same statement. */
export async function readSession(db: Database, sessionId: string): Promise<LiveSession | null> {
  const { SESSION_IDLE_MINUTES, SESSION_MAX_HOURS } = settings();
  const [found] = await db.sql<LiveSession[]>`
    with used as (
      update staff_sessions s set last_used_at = now()
      where id = ${sessionId} and ${isLive(db)}
        and last_used_at < now() - make_interval(mins => ${USE_NOTED_EVERY_MINUTES}::int)
    )
    select p.email, p.role, s.id as "sessionId", p.unconfirmed_by <> '{}' as "isUnconfirmed",
      least(s.last_used_at + make_interval(mins => ${SESSION_IDLE_MINUTES}::int),
        s.created_at + make_interval(hours => ${SESSION_MAX_HOURS}::int)) as "expiresAt"
    from staff_sessions s join staff p on p.id = s.staff_id and p.session_epoch = s.epoch
    where s.id = ${sessionId} and p.disabled_at is null and ${isLive(db)}`;
  return found ? withTimes(found, "expiresAt") : null;
}

/** Ends a session. Its cookie, and every copy of it, then gives no access. */
export async function endSession(db: Database, sessionId: string): Promise<void> {
  await db.sql`delete from staff_sessions where id = ${sessionId}`;
}

/** The team member with this email; null when there is none or they are disabled. */
export async function findStaff(db: Database, email: string) {
  const [person] = await db.orm.select().from(staff).where(eq(staff.email, email.toLowerCase())).limit(1);
  return person && !person.disabledAt ? person : null;
}

export async function noteSignIn(db: Database, email: string): Promise<void> {
  await db.sql`update staff set last_sign_in_at = now() where email = ${email.toLowerCase()}`;
}

/** Why a sign-in through the issuer is refused. A closed list, since it appears in a URL. */
export type Refusal = "email_not_verified" | "not_staff";

/** The email must be verified: otherwise anyone who can set one at the issuer could take over an account. */
export async function admitByClaims(
  db: Database,
  claims: { email?: unknown; email_verified?: unknown },
): Promise<Refusal | null> {
  const { email, email_verified: verified } = claims;
  // Some issuers write the boolean as a string.
  if (typeof email !== "string" || (verified !== true && verified !== "true")) return "email_not_verified";
  const person = await findStaff(db, email);
  if (!person) return "not_staff";
  await noteSignIn(db, person.email);
  return null;
}
