import type { TransactionSql } from "postgres";
import type { AuditAction, AuditDetail } from "@/server/audit/actions";
import { auditAlone } from "@/server/audit/audit-alone";
import { audited } from "@/server/audit/audited";
import { hashPassword, refuseCommonPassword } from "@/server/auth/passwords";
import { withTimes } from "@/server/kernel/batch-rows";
import {
  PASSWORD_LENGTH_MAX,
  PASSWORD_LENGTH_MIN,
  type ServiceContext,
  STAFF_ROLES,
  type StaffRole,
} from "@/server/kernel/context";
import { invalid } from "@/server/kernel/to-domain-error";
import { DomainError } from "@/terms/problems";
import type { ChangeRoleInput, PersonInput, StaffPerson } from "./schema";
import { emailOf, givenBy, isUnderRule, secondPersonObstacle } from "./second-person";

export async function listStaff({ db: { sql } }: ServiceContext): Promise<StaffPerson[]> {
  const rows = await sql<StaffPerson[]>`
    select id, email, role, case when role = 'viewer' then '{}' else unconfirmed_by end as "unconfirmedBy",
      created_at as "createdAt", last_sign_in_at as "lastSignInAt",
      case
        when disabled_at is not null then 'disabled'
        when password_hash is not null or last_sign_in_at is not null then 'active'
        else 'invited'
      end as state,
      (select max(expires_at) from staff_invitations i
        where i.staff_id = s.id and i.origin = 'admin' and i.ended is null
          and i.expires_at > now()) as "linkExpiresAt"
    from staff s order by email`;
  return rows.map((row) => ({
    ...withTimes(row, "linkExpiresAt", "createdAt", "lastSignInAt"),
    unconfirmedBy: row.unconfirmedBy.map(emailOf),
  }));
}

export type NewStaff = { email: string; role: StaffRole; password: string };

/** @throws DomainError `validation_failed` for a password too short, long or common, or a taken email */
export async function createStaff(ctx: ServiceContext, input: NewStaff): Promise<void> {
  if (input.password.length < PASSWORD_LENGTH_MIN || input.password.length > PASSWORD_LENGTH_MAX)
    throw invalid(`Passwords must have ${PASSWORD_LENGTH_MIN} to ${PASSWORD_LENGTH_MAX} characters.`);
  const email = input.email.toLowerCase();
  refuseCommonPassword(input.password, email);
  const passwordHash = await hashPassword(input.password);
  const { sql } = ctx.db;
  const detail = sql`jsonb_build_object('role', ${input.role}::text)`;
  const made = await sql`
    with made as (
      insert into staff (email, role, password_hash)
      values (${email}, ${input.role}::staff_role, ${passwordHash})
      on conflict (email) do nothing returning email
    ), ${audited(ctx, { action: "staff.create", target: `staff:${email}`, detail, of: "made" })}
    select email from made`;
  if (made.length === 0) throw invalid(`A team member with the email ${email} already exists.`);
}

/** Key of the advisory lock for changes of access. */
const STAFF_LOCK = "7262541904";

interface Person {
  id: string;
  email: string;
  role: StaffRole;
  isDisabled: boolean;
  unconfirmedBy: string[];
  hasSignedIn: boolean;
}

/** Also ends the person's sessions. @throws DomainError `validation_failed` for the last admin */
export async function changeRole(ctx: ServiceContext, { personId, role }: ChangeRoleInput): Promise<void> {
  await changeAccess(ctx, personId, async (tx, person) => {
    if (person.role === role) return null;
    await mustNotBeLastAdmin(tx, person);
    const isRaise = STAFF_ROLES.indexOf(role) > STAFF_ROLES.indexOf(person.role);
    const given = givenBy(tx, ctx.actor, isRaise && (await isUnderRule(tx)));
    await tx`
      update staff
      set role = ${role}::staff_role, unconfirmed_by = ${given}, session_epoch = session_epoch + 1
      where id = ${person.id}`;
    return { action: "staff.role", detail: { from: person.role, to: role } };
  });
}

/** Also ends the person's sessions and links. @throws DomainError `validation_failed` for the last admin */
export const disablePerson = (ctx: ServiceContext, { personId }: PersonInput) =>
  setPersonDisabled(ctx, personId, true);

/** The previous role and password work again. Old sessions are not restored. */
export const enablePerson = (ctx: ServiceContext, { personId }: PersonInput) =>
  setPersonDisabled(ctx, personId, false);

/**
 * As a second admin. The account can then approve. Links that admins created end: they could take it over.
 * @throws DomainError `not_allowed` to no second person, `validation_failed` before the person has signed in
 */
export async function confirmAccess(ctx: ServiceContext, { personId }: PersonInput): Promise<void> {
  await changeAccess(ctx, personId, async (tx, person) => {
    if (person.unconfirmedBy.length === 0) return null;
    const obstacle = await secondPersonObstacle(tx, ctx.actor, `staff:${person.email}`);
    if (obstacle) throw new DomainError("not_allowed", obstacle);
    if (!person.hasSignedIn)
      throw invalid(`${person.email} has not signed in yet. Confirm the access afterwards.`);
    await tx`update staff set unconfirmed_by = '{}' where id = ${person.id}`;
    await tx`delete from staff_invitations where staff_id = ${person.id} and origin = 'admin'`;
    return { action: "staff.confirm" };
  });
}

async function setPersonDisabled(ctx: ServiceContext, personId: string, disable: boolean): Promise<void> {
  await changeAccess(ctx, personId, async (tx, person) => {
    if (person.isDisabled === disable) return null;
    if (disable) await mustNotBeLastAdmin(tx, person);
    const given = givenBy(tx, ctx.actor, !disable && (await isUnderRule(tx)));
    await tx`
      update staff
      set disabled_at = ${disable ? tx`now()` : null}, unconfirmed_by = ${given},
        session_epoch = session_epoch + 1
      where id = ${person.id}`;
    await tx`delete from staff_invitations where staff_id = ${person.id}`;
    return { action: disable ? "staff.disable" : "staff.enable" };
  });
}

/** One at a time: otherwise two admins could demote each other. @throws DomainError `validation_failed` */
async function changeAccess(
  ctx: ServiceContext,
  personId: string,
  change: (
    tx: TransactionSql,
    person: Person,
  ) => Promise<{ action: AuditAction; detail?: AuditDetail } | null>,
): Promise<void> {
  await ctx.db.sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(${STAFF_LOCK}::bigint)`;
    const [person] = await tx<Person[]>`
      select id, email, role, disabled_at is not null as "isDisabled", unconfirmed_by as "unconfirmedBy",
        password_hash is not null or last_sign_in_at is not null as "hasSignedIn"
      from staff where id = ${personId} for update`;
    if (!person) throw invalid("The team member was not found. Reload the page.");
    const changed = await change(tx, person);
    if (changed) await auditAlone(tx, ctx, { ...changed, target: `staff:${person.email}` });
  });
}

/** An admin who has signed in must be left: invitations expire. @throws DomainError `validation_failed` */
async function mustNotBeLastAdmin(tx: TransactionSql, person: Person): Promise<void> {
  if (person.role !== "admin" || person.isDisabled) return;
  const [other] = await tx`
    select 1 from staff where role = 'admin' and disabled_at is null and id <> ${person.id}
      and (password_hash is not null or last_sign_in_at is not null) limit 1`;
  if (other) return;
  throw invalid(
    `${person.email} is the last admin who can sign in. Make another team member an admin first.`,
  );
}
