import type { ServiceContext } from "../kernel/context";
import type { StaffRole } from "../kernel/trpc-context";
import { toTimestamp } from "../kernel/values/batch-rows";
import type { StaffPerson } from "./console-schema";

interface Row {
  id: string;
  email: string;
  role: StaffRole;
  created_at: string;
  disabled_at: string | null;
  last_sign_in_at: string | null;
  has_password: boolean;
  link_expires_at: string | null;
}

/** All team members, by email. */
export async function listStaff(ctx: ServiceContext): Promise<StaffPerson[]> {
  const rows = await ctx.db.sql<Row[]>`
    select id, email, role, created_at, disabled_at, last_sign_in_at, password_hash is not null as has_password,
      (select max(expires_at) from staff_invitations i where i.staff_id = s.id and i.origin = 'admin' and i.expires_at > now()) as link_expires_at
    from staff s order by email`;
  return rows.map((row) => ({
    id: row.id,
    email: row.email,
    role: row.role,
    state: stateOf(row),
    linkExpiresAt: row.link_expires_at && toTimestamp(row.link_expires_at),
    createdAt: toTimestamp(row.created_at),
    lastSignInAt: row.last_sign_in_at && toTimestamp(row.last_sign_in_at),
  }));
}

function stateOf(row: Row): StaffPerson["state"] {
  if (row.disabled_at) return "disabled";
  return row.has_password || row.last_sign_in_at ? "active" : "invited";
}
