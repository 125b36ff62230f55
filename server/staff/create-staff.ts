import { hashPassword, refuseCommonPassword } from "@/server/auth/passwords";
import { audited } from "../audit/audited";
import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from "../auth/password-rules";
import type { ServiceContext } from "../kernel/context";
import type { StaffRole } from "../kernel/trpc-context";
import { DomainError } from "../kernel/values/problems";

export interface NewStaff {
  email: string;
  role: StaffRole;
  password: string;
}

/** Adds a team member with a password. @throws DomainError `validation_failed` for a password of a bad length or easy to guess, or a taken email */
export async function createStaff(ctx: ServiceContext, input: NewStaff): Promise<void> {
  if (input.password.length < PASSWORD_LENGTH_MIN || input.password.length > PASSWORD_LENGTH_MAX) {
    throw new DomainError(
      "validation_failed",
      `Passwords must have ${PASSWORD_LENGTH_MIN} to ${PASSWORD_LENGTH_MAX} characters.`,
    );
  }
  const email = input.email.toLowerCase();
  refuseCommonPassword(input.password, email);
  const passwordHash = await hashPassword(input.password);
  const { sql } = ctx.db;
  const detail = sql`jsonb_build_object('role', ${input.role}::text)`;
  const made = await sql`
    with made as (
      insert into staff (email, role, password_hash) values (${email}, ${input.role}::staff_role, ${passwordHash})
      on conflict (email) do nothing returning email
    ), ${audited(ctx, { action: "staff.create", target: `staff:${email}`, detail, of: "made" })}
    select email from made`;
  if (made.length === 0)
    throw new DomainError("validation_failed", `A team member with the email ${email} already exists.`);
}
