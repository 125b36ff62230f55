import type postgres from "postgres";
import type { ServiceContext } from "../kernel/context";
import type { StaffRole } from "../kernel/trpc-context";
import { DomainError } from "../kernel/values/problems";

/** Key of the advisory lock for changes of access. */
const STAFF_LOCK = "7262541904";

interface Person {
  id: string;
  email: string;
  role: StaffRole;
  isDisabled: boolean;
}
type Transaction = postgres.TransactionSql;

/**
 * Runs a change of one person's access. Such changes run one at a time across all instances: otherwise two admins could
 * demote each other at the same time.
 * @throws DomainError `validation_failed` when the person is not found
 */
export async function changeAccess(
  ctx: ServiceContext,
  personId: string,
  change: (tx: Transaction, person: Person) => Promise<void>,
): Promise<void> {
  await ctx.db.sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(${STAFF_LOCK}::bigint)`;
    const [person] = await tx<Person[]>`
      select id, email, role, disabled_at is not null as "isDisabled" from staff where id = ${personId} for update`;
    if (!person)
      throw new DomainError("validation_failed", "The team member was not found. Reload the page.");
    await change(tx, person);
  });
}

/**
 * Refuses a change after which no admin could sign in. An invited admin who never signed in does not count, since their
 * link may expire unused. @throws DomainError `validation_failed`
 */
export async function mustNotBeLastAdmin(tx: Transaction, person: Person): Promise<void> {
  if (person.role !== "admin" || person.isDisabled) return;
  const [other] = await tx`
    select 1 from staff where role = 'admin' and disabled_at is null and id <> ${person.id}
      and (password_hash is not null or last_sign_in_at is not null) limit 1`;
  if (other) return;
  throw new DomainError(
    "validation_failed",
    `${person.email} is the last admin who can sign in. Make another team member an admin first.`,
  );
}
