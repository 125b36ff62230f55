import type { TransactionSql } from "postgres";
import { hashToken, makeToken, tokenSuffix } from "@/server/auth/tokens";
import type { StaffRole } from "../kernel/trpc-context";

export interface DemoPerson {
  email: string;
  role: StaffRole;
  passwordHash: string;
}

/**
 * Stores the contracts with their accounts and tokens, and the staff. Returns one active token per contract, and the emails
 * of new team members. Existing ones keep their role and password. Only token hashes are stored.
 */
export async function storePeople(tx: TransactionSql, people: readonly DemoPerson[]) {
  await tx`
    insert into contracts (address, label, operator_address, issuance, created_at)
    select address, label, operator_address, issuance, created_at from demo_contracts order by ordinal
    returning address`;
  await tx`
    insert into accounts (address, point_type)
    select address, unnest(enum_range(null::point_type)) from demo_contracts order by address
    on conflict (address, point_type) do nothing`;
  const tokens = [];
  for (const { address, label, token: name } of await tx<{ address: Buffer; label: string; token: string }[]>`
    select address, label, token from demo_contracts order by ordinal`) {
    const token = makeToken("access");
    await tx`
      insert into access_tokens (token_hash, token_end, contract_address, name, scopes, created_by, created_at, last_used_at, expires_at, revoked_at)
      select ${hashToken(token)}::bytea, ${tokenSuffix(token)}, address, ${name}, '{batches:read,batches:write}'::text[], 'staff:admin@example.com',
        created_at + interval '5 minutes', w.at - interval '2 minutes', null::timestamptz, null::timestamptz
      from demo_contracts, world w where address = ${address}
      union all
      select sha256(address || 'reports'::bytea), 'k3Rw', address, 'reports', '{batches:read}', 'staff:operator@example.com',
        created_at + interval '2 days', w.at - interval '9 hours', w.at + interval '60 days', null
      from demo_contracts, world w where address = ${address}
      union all
      select sha256(address || 'first'::bytea), null, address, 'first try', '{batches:read,batches:write}', 'staff:admin@example.com',
        created_at + interval '1 minute', created_at + interval '3 hours', null, created_at + interval '1 day'
      from demo_contracts, world w where address = ${address}`;
    tokens.push({ contractAddress: `0x${address.toString("hex")}`, label, token });
  }
  await tx`create temp table added_people (email text) on commit drop`;
  const added = await tx<{ email: string }[]>`
    with added as (
    insert into staff (email, role, password_hash, created_at, last_sign_in_at, disabled_at)
    select p.email, p.role::staff_role, p.hash, w.at - interval '31 days',
      case when p.email like 'former@%' then w.at - interval '12 days' else w.at - interval '3 hours' end,
      case when p.email like 'former@%' then w.at - interval '5 days' end
    from world w, unnest(${people.map((p) => p.email)}::text[], ${people.map((p) => p.role)}::text[],
      ${people.map((p) => p.passwordHash)}::text[]) as p (email, role, hash)
    on conflict (email) do nothing returning email
    )
    insert into added_people select email from added returning email`;
  return { tokens, added: added.map(({ email }) => email) };
}
