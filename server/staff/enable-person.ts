import type { ServiceContext } from "../kernel/context";
import { changeAccess } from "./change-access";
import type { PersonInput } from "./console-schema";

/** Lets a disabled person sign in again with their previous role and password. Old sessions are not restored. */
export async function enablePerson(ctx: ServiceContext, { personId }: PersonInput): Promise<void> {
  await changeAccess(ctx, personId, async (tx, person) => {
    if (!person.isDisabled) return;
    await tx`
      with changed as (
        update staff set disabled_at = null, session_epoch = session_epoch + 1 where id = ${person.id}
        returning email
      )
      insert into audit_log (actor, action, target, request_id)
      select ${ctx.actor}, 'staff.enable', 'staff:' || email, ${ctx.requestId} from changed`;
  });
}
