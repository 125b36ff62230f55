import {
  boundedPasswordWork,
  hashPassword,
  limitedTry,
  OWN_SESSION,
  refuseCommonPassword,
  slotClaimOf,
  verifyPassword,
} from "@/server/auth/passwords";
import { audited } from "../audit/audited";
import { findStaff } from "../auth/find-staff";
import type { ServiceContext } from "../kernel/context";
import type { StaffIdentity } from "../kernel/trpc-context";
import { DomainError } from "../kernel/values/problems";
import type { ChangeOwnPasswordInput } from "./console-schema";

type OwnContext = ServiceContext & { staff: StaffIdentity; clientAddress: string };

/**
 * Changes the user's own password and ends all their sessions, including the current one.
 * @throws DomainError `validation_failed` when the old one is wrong or not set, or the new one is easy to guess; `rate_limited`
 */
export async function changeOwnPassword(ctx: OwnContext, input: ChangeOwnPasswordInput): Promise<void> {
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
