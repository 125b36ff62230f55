import type { ServiceContext } from "../kernel/context";
import { changeAccess, mustNotBeLastAdmin } from "./change-access";
import type { ChangeRoleInput } from "./console-schema";

/** Changes a person's role and ends their sessions. @throws DomainError `validation_failed` for the last admin */
export async function changeRole(ctx: ServiceContext, { personId, role }: ChangeRoleInput): Promise<void> {
  await changeAccess(ctx, personId, async (tx, person) => {
    if (person.role === role) return;
    await mustNotBeLastAdmin(tx, person);
    await tx`
      with changed as (
        update staff set role = ${role}::staff_role, session_epoch = session_epoch + 1 where id = ${person.id}
        returning email
      )
      insert into audit_log (actor, action, target, detail, request_id)
      select ${ctx.actor}, 'staff.role', 'staff:' || email,
        jsonb_build_object('from', ${person.role}::text, 'to', ${role}::text), ${ctx.requestId}
      from changed`;
  });
}
