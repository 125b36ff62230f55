import type { ServiceContext } from "../kernel/context";
import { changeAccess, mustNotBeLastAdmin } from "./change-access";
import type { PersonInput } from "./console-schema";

/** Locks a person out and ends their sessions and links. @throws DomainError `validation_failed` for the last admin */
export async function disablePerson(ctx: ServiceContext, { personId }: PersonInput): Promise<void> {
  await changeAccess(ctx, personId, async (tx, person) => {
    if (person.isDisabled) return;
    await mustNotBeLastAdmin(tx, person);
    await tx`
      with changed as (
        update staff set disabled_at = now(), session_epoch = session_epoch + 1 where id = ${person.id}
        returning id, email
      ), ended as (
        delete from staff_invitations i using changed c where i.staff_id = c.id
      )
      insert into audit_log (actor, action, target, request_id)
      select ${ctx.actor}, 'staff.disable', 'staff:' || email, ${ctx.requestId} from changed`;
  });
}
