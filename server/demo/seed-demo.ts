import { randomBytes } from "node:crypto";
import type { TransactionSql } from "postgres";
import type { Database } from "@/db/client";
import { hashPassword } from "@/server/auth/passwords";
import { hashToken, makeToken, tokenSuffix } from "@/server/auth/tokens";
import { reviewSuspect } from "@/server/batches/review/review-new-batches";
import { addressArray } from "@/server/kernel/address-bytes";
import type { StaffRole } from "@/server/kernel/context";
import { invalid } from "@/server/kernel/to-domain-error";
import { dropCheckpoint } from "@/server/ledger/checkpoint";
import { PACKED_COLUMNS, unpacked } from "@/server/ledger/packed-transfers";

const HISTORY_HOURS = 720;

export interface SeedDemo {
  batches: number;
  add: boolean;
  adminEmail: string;
  /** Generated and returned if absent. */
  adminPassword?: string | undefined;
}

export type SeededDemo = Awaited<ReturnType<typeof seedDemo>>;

const TABLES = `accounts, audit_log, batch_reviews, batch_transfers, batches, finalizer_runs, issuances,
  recipient_transfers`;

/**
 * A month of data.
 * @returns what is new, with the generated passwords of new team members: existing ones keep theirs
 * @throws DomainError `validation_failed` when the database has batches or this data
 */
export async function seedDemo(db: Database, options: SeedDemo) {
  const people = await makePeople(db, options);
  const { added, unusual, ...seeded } = await db.sql.begin(async (tx) => {
    await tx`set local work_mem = '128MB'`;
    // JIT would take longer than running these statements.
    await tx`set local jit = off`;
    await tx.unsafe(CHANCE);
    await tx.unsafe(CONTRACTS);
    const [state] = await tx<Record<"hasBatches" | "hasDemo", boolean>[]>`
      select exists (select 1 from batches) as "hasBatches",
        exists (select 1 from contracts join demo_contracts using (address)) as "hasDemo"`;
    if (state!.hasBatches && !options.add)
      throw invalid("The database already contains batches. Use --add to add more.");
    if (state!.hasDemo) throw invalid("The demo data has already been added.");
    await tx.unsafe(drawn(options.batches));
    const { tokens, added } = await storePeople(tx, people);
    for (const statement of [BATCHES, TRANSFERS, ISSUANCES, ACCOUNTS, RUNS, AUDIT])
      await tx.unsafe(statement);
    await indexRecipients(tx);
    // In a database that had batches before, reviews continue where they were.
    if (!state!.hasBatches)
      await tx`
        insert into review_progress (created_at, batch_seq)
        select created_at, seq from drawn order by created_at desc, seq desc limit 1
        on conflict (singleton) do nothing`;
    // The next incremental check would miss batches settled before its checkpoint.
    await dropCheckpoint(tx);
    const [unusual] = await tx<{ contractAddress: Buffer; seq: string }[]>`
      select contract_address as "contractAddress", seq::text from drawn where n = 1`;
    const [size] = await tx<{ batches: number; transfers: number }[]>`
      select count(*)::int as batches, sum(transfer_count)::int as transfers from drawn`;
    return { ...size!, tokens, added, unusual: unusual! };
  });
  await db.sql.unsafe(`vacuum analyze ${TABLES}`);
  await reviewSuspect(db, unusual);
  const shown = people.filter(
    ({ email, password }) => added.includes(email) && password !== options.adminPassword,
  );
  return { ...seeded, people: shown.map(({ email, role, password }) => ({ email, role, password })) };
}

/** One team member per role. An admin only if there is none, since the first start then creates none. */
async function makePeople(db: Database, { adminEmail, adminPassword }: SeedDemo) {
  const [known] = await db.sql`select 1 from staff where role = 'admin' limit 1`;
  const made = () => randomBytes(12).toString("base64url");
  const wanted: { email: string; role: StaffRole; password: string }[] = [
    { email: "operator@example.com", role: "operator", password: made() },
    { email: "viewer@example.com", role: "viewer", password: made() },
  ];
  if (!known)
    wanted.unshift({ email: adminEmail.toLowerCase(), role: "admin", password: adminPassword ?? made() });
  return Promise.all(
    wanted.map(async (person) => ({ ...person, passwordHash: await hashPassword(person.password) })),
  );
}

/** Randomness is a hash of a number, so that query plans do not change the result. */
const CHANCE = `
  create or replace function pg_temp.chance(n bigint, salt int) returns float8
  immutable parallel safe language sql as $$
    select (hashint8extended(n, salt + 1000) & 4503599627370495)::float8
      / 4503599627370496 $$`;

/** A made address, always the same. */
const addressOf = (what: string, ordinal: string) =>
  `substring(sha256(convert_to('demo ${what} ' || ${ordinal} || '/1', 'UTF8')) for 20)`;

const CONTRACTS = `
  create temp table demo_contracts on commit drop as
  select ordinal, ${addressOf("contract", "ordinal")} as address,
    ${addressOf("operator", "ordinal")} as operator_address, label, issuance::issuance, token,
    share_before, share_after,
    now() - ${HISTORY_HOURS} * interval '1 hour' - (4 - ordinal) * interval '2 hours' as created_at
  from (values
    (1, 'Rewards', 'ON_DEMAND', 'rewards-backend', 0.0, 0.55),
    (2, 'Season 2 payouts', 'ON_DEMAND', 'payout-job', 0.55, 0.85),
    (3, 'Partner grants', 'PREFUNDED', 'grants-desk', 0.85, 1.0)
  ) as c (ordinal, label, issuance, token, share_before, share_after)`;

/**
 * The batches with their transfers, in order of creation. They are finalized when due. The first contract's
 * newest one pays a hundred times what was drawn: its review finds it.
 */
const drawn = (batches: number) => `
  create temp table drawn on commit drop as
  select nextval('batches_seq_seq') as seq, stated.*,
    least(to_timestamp(ceil(extract(epoch from finalize_at) * 2) / 2), now()) as tick_at,
    date_trunc('milliseconds',
      created_at + pg_temp.chance(n, 22) * (least(finalize_at, now()) - created_at)) as stopped_at,
    status = 'PENDING' and n % 4 = 0 as is_held,
    case when status = 'CANCELLED' and pg_temp.chance(n, 23) < 0.4
      then (array['Wrong amounts: yesterday''s export was sent again', 'Requested by the partner',
        'Recipients are on the test network', 'Replaced by a corrected batch'])[1 + n % 4]
      when status = 'PENDING' and n % 4 = 0
      then (array['Twice the usual size: asked the partner', 'Under review by finance'])[1 + n / 4 % 2]
    end as staff_reason
  from (
    select *, case when fate < 0.03 then 'CANCELLED' when finalize_at > now() then 'PENDING'
      else 'FINALIZED' end::batch_status as status
    from (
      select placed.*, c.ordinal, c.address as contract_address, c.token, c.issuance, t.*,
        placed.created_at + wait_seconds * interval '1 second' as finalize_at,
        case when n = 1 then 1 else pg_temp.chance(n, 20) end as fate
      from (
        select n,
          case when n = 1 then 0 else pg_temp.chance(n, 6) end as share,
          date_trunc('milliseconds', now() - interval '1 minute' - ${HISTORY_HOURS} * interval '1 hour'
            * (case when n = 1 then 0 else 1 - power(pg_temp.chance(n, 1), 0.8) end)) as created_at,
          (array[3600, 7200, 21600, 43200, 86400])[1 + floor(pg_temp.chance(n, 2) * 5)::int] as wait_seconds,
          case when n = 1 or pg_temp.chance(n, 3) < 0.8 then 'PHASE2_POINTS'
            else 'PHASE2_GOLD' end::point_type as point_type
        from generate_series(1, ${batches}) as n
      ) as placed
      join demo_contracts c on share >= c.share_before and share < c.share_after
      cross join lateral (${transfersOf(Math.max(200, Math.floor(batches / 2)))}) as t
    ) as due
    order by created_at, n
  ) as stated;
  analyze drawn`;

/**
 * Of \`placed\`. Recipients follow a power law: few wallets are paid often, most only once or twice. The
 * digests are those of terms/batch-text.ts, so that a repeated submit is recognized.
 */
const transfersOf = (wallets: number) => `
  select count(*)::int as transfer_count, sum(points) as points,
    string_agg(to_address, '' order by i) as addresses, array_agg(points order by i) as amounts,
    sha256(convert_to(concat(
        'point-batch-1', E'\\n', '0x', encode(c.address, 'hex'), E'\\n', point_type, E'\\n',
        case when wait_seconds = 86400 then 'default' else wait_seconds::text end, E'\\n',
        string_agg('0x' || encode(to_address, 'hex') || ' ' || points || E'\\n', '' order by i)
      ), 'UTF8')) as digest,
    sha256(convert_to(
      string_agg('0x' || encode(to_address, 'hex') || ' ' || points, E'\\n' order by to_address), 'UTF8'
    )) as transfers_hash
  from (
    select min(i) as i, ${addressOf("wallet", "wallet")} as to_address,
      trim_scale(case n when 1 then 100 else 1 end * case point_type
        when 'PHASE2_POINTS' then greatest(round(max(size)::numeric, 2), 0.01)
        else greatest(round((max(size) / 150)::numeric, 6), 0.000001) end) as points
    from (
      select i, floor(${wallets} * power(pg_temp.chance(n * 2000 + i, 10), 3))::int as wallet,
        exp(4 + 2.2 * (pg_temp.chance(n * 2000 + i, 12) + pg_temp.chance(n * 2000 + i, 13)
          + pg_temp.chance(n * 2000 + i, 14) - 1.5)) as size
      from generate_series(1, 1 + floor(least(
          (power(greatest(pg_temp.chance(n, 5), 1e-9), -0.6) - 1) * 7.3, 1999))::int) as i
    ) as chosen
    group by wallet
  ) as paid`;

/** Returns a token per contract, and the emails of new members. Others keep their role and password. */
async function storePeople(tx: TransactionSql, people: Awaited<ReturnType<typeof makePeople>>) {
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
      insert into access_tokens (token_hash, token_end, contract_address, name, scopes, created_by,
        created_at, last_used_at)
      select ${hashToken(token)}::bytea, ${tokenSuffix(token)}, address, ${name},
        '{batches:read,batches:write}'::text[], 'staff:admin@example.com',
        created_at + interval '5 minutes', now() - interval '2 minutes'
      from demo_contracts where address = ${address}`;
    tokens.push({ contractAddress: `0x${address.toString("hex")}`, label, token });
  }
  const added = await tx<{ email: string }[]>`
    insert into staff (email, role, password_hash, created_at, last_sign_in_at)
    select p.email, p.role::staff_role, p.hash, now() - interval '31 days', now() - interval '3 hours'
    from unnest(${people.map((p) => p.email)}::text[], ${people.map((p) => p.role)}::text[],
      ${people.map((p) => p.passwordHash)}::text[]) as p (email, role, hash)
    on conflict (email) do nothing returning email`;
  return { tokens, added: added.map(({ email }) => email) };
}

// Nothing below conflicts, but without `on conflict` Citus 13 would commit in one phase (docs/internals.md).

/** Ids as the service or the contract would have chosen them. */
const BATCHES = `
  insert into batches (contract_address, seq, id, point_type, status, points, transfer_count, wait_seconds,
    digest, transfers_hash, submitted_by, submit_request_id, created_at, finalize_at, updated_at,
    claim_id, claimed_at, finalized_at, cancelled_at, cancelled_by, cancel_reason, cancel_request_id,
    held_at, held_by, hold_reason)
  overriding system value
  select contract_address, seq,
    case ordinal when 2
      then 'payout-' || to_char(created_at at time zone 'UTC', 'YYYYMMDD') || '-' || lpad(n::text, 7, '0')
      else overlay(overlay(md5(n || '/id/' || contract_address::text)
        placing lpad(to_hex((extract(epoch from created_at) * 1000)::bigint), 12, '0') || '7' from 1 for 13)
        placing 'a' from 17 for 1)::uuid::text end,
    point_type, status, points, transfer_count, wait_seconds, digest, transfers_hash,
    'token:' || token, 'demo-' || n, created_at, finalize_at,
    case status when 'CANCELLED' then stopped_at when 'FINALIZED' then tick_at end,
    case when status = 'FINALIZED' then md5(tick_at::text)::uuid end,
    case when status = 'FINALIZED' then tick_at end, case when status = 'FINALIZED' then tick_at end,
    case when status = 'CANCELLED' then stopped_at end,
    case when status <> 'CANCELLED' then null when staff_reason is null then 'token:' || token
      else 'staff:operator@example.com' end,
    case when status = 'CANCELLED' then staff_reason end,
    case when status = 'CANCELLED' then 'demo-' || n end,
    case when is_held then stopped_at end, case when is_held then 'staff:operator@example.com' end,
    case when is_held then staff_reason end
  from drawn order by seq
  on conflict (contract_address, seq) do nothing`;

const TRANSFERS = `
  insert into batch_transfers (batch_seq, contract_address, addresses, points)
  select seq, contract_address, addresses, amounts::numeric(38,12)[] from drawn order by seq
  on conflict (batch_seq, contract_address) do nothing`;

/** An ON_DEMAND contract is issued what each batch needs, a PREFUNDED one 10% more than all at the start. */
const ISSUANCES = `
  create temp table drawn_issuances on commit drop as
  select contract_address, point_type, points, seq as batch_seq, null as granted_by, created_at
  from drawn where issuance = 'ON_DEMAND'
  union all
  select address, point_type, ceil(sum(points) * 1.1 / 1000) * 1000, null, 'staff:operator@example.com',
    c.created_at + interval '10 minutes'
  from drawn join demo_contracts c on c.address = contract_address
  where c.issuance = 'PREFUNDED' group by c.address, c.created_at, point_type;
  insert into issuances (contract_address, point_type, points, batch_seq, granted_by, created_at)
  select contract_address, point_type, points, batch_seq, granted_by, created_at from drawn_issuances
  order by granted_by is not null, created_at, batch_seq, point_type
  on conflict (contract_address, created_at, id) do nothing`;

/** Locks the accounts in address order, as settling does. */
const ACCOUNTS = `
  insert into accounts as a (address, point_type, earned, received, sent, pending)
  select address, point_type, sum(earned), sum(received), sum(sent), sum(pending) from (
    select substring(addresses from place::int * 20 - 19 for 20) as address, point_type,
      0::numeric as earned, amount as received, 0::numeric as sent, 0::numeric as pending
    from drawn, unnest(amounts) with ordinality as u (amount, place) where status = 'FINALIZED'
    union all
    select contract_address, point_type, 0, 0, case status when 'FINALIZED' then points else 0 end,
      case status when 'PENDING' then points else 0 end
    from drawn
    union all
    select contract_address, point_type, points, 0, 0, 0 from drawn_issuances
  ) as changes
  group by address, point_type order by address, point_type
  on conflict (address, point_type) do update
    set earned = a.earned + excluded.earned, received = a.received + excluded.received,
      sent = a.sent + excluded.sent, pending = a.pending + excluded.pending`;

/** With those that the service stored before and did not index yet. */
async function indexRecipients(tx: TransactionSql): Promise<void> {
  const [mark] = await tx<{ at: string; seq: string }[]>`
    select created_at::text as at, batch_seq::text as seq from recipient_progress for update`;
  const [last] = await tx<{ at: string; seq: string }[]>`
    select created_at::text as at, seq::text as seq from drawn order by created_at desc, seq desc limit 1`;
  const addresses = await tx<{ address: Buffer }[]>`select address from demo_contracts`;
  await tx`
    with packed as materialized (
      select b.created_at, ${tx.unsafe(PACKED_COLUMNS)}
      from batches b join batch_transfers t on t.batch_seq = b.seq and t.contract_address = b.contract_address
      where (b.created_at, b.seq) <= (${last!.at}::timestamptz, ${last!.seq}::bigint)
        and ((b.created_at, b.seq) > (${mark!.at}::timestamptz, ${mark!.seq}::bigint)
          or b.contract_address = any(${addressArray(addresses.map(({ address }) => address))}::bytea[]))
    )
    insert into recipient_transfers (to_address, created_at, batch_seq, contract_address, points)
    select to_address, created_at, batch_seq, contract_address, points
    from (${unpacked(tx, "packed", "p.created_at, p.batch_seq, p.contract_address")}) as transfers
    order by to_address
    on conflict (to_address, created_at, batch_seq, contract_address) do nothing`;
  await tx`
    update recipient_progress set created_at = ${last!.at}::timestamptz, batch_seq = ${last!.seq}::bigint
    where (created_at, batch_seq) < (${last!.at}::timestamptz, ${last!.seq}::bigint)`;
}

/** What the service and its users would have written: finalizer runs, and who held or cancelled a batch. */
const RUNS = `
  insert into finalizer_runs (started_by, started_at, finished_at, batches_finalized, transfers_settled,
    lag_seconds_max)
  select 'scheduler', tick_at, tick_at + interval '90 milliseconds', count(*), sum(transfer_count),
    max(ceil(extract(epoch from tick_at - finalize_at)))
  from drawn where status = 'FINALIZED' group by tick_at order by tick_at`;

const AUDIT = `
  insert into audit_log (at, actor, action, target, detail, request_id)
  select stopped_at, 'staff:operator@example.com',
    case when is_held then 'batch.hold' else 'batch.cancel' end,
    'batch:0x' || encode(d.contract_address, 'hex') || '/' || b.id,
    jsonb_build_object('reason', staff_reason), 'demo-' || n
  from drawn d join batches b on b.contract_address = d.contract_address and b.seq = d.seq
  where staff_reason is not null order by stopped_at, n`;
