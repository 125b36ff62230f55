import type { ServiceContext } from "../kernel/context";
import { toTimestamp } from "../kernel/values/batch-rows";
import type { StaffPerson } from "./console-schema";

export async function listStaff({ db: { sql } }: ServiceContext): Promise<StaffPerson[]> {
  const rows = await sql<StaffPerson[]>`
    select id, email, role, case when role = 'viewer' then '{}' else unconfirmed_by end as "unconfirmedBy",
      created_at as "createdAt", last_sign_in_at as "lastSignInAt",
      case when disabled_at is not null then 'disabled'
        when password_hash is not null or last_sign_in_at is not null then 'active' else 'invited' end as state,
      (select max(expires_at) from staff_invitations i
        where i.staff_id = s.id and i.origin = 'admin' and i.ended is null and i.expires_at > now()) as "linkExpiresAt"
    from staff s order by email`;
  return rows.map((row) => ({
    ...row,
    unconfirmedBy: row.unconfirmedBy.map((actor) => actor.replace(/^staff:/, "")),
    linkExpiresAt: row.linkExpiresAt && toTimestamp(row.linkExpiresAt),
    createdAt: toTimestamp(row.createdAt),
    lastSignInAt: row.lastSignInAt && toTimestamp(row.lastSignInAt),
  }));
}
