import { randomBytes } from "node:crypto";
import type { TransactionSql } from "postgres";
import type { Database } from "@/db/client";
import { hashPassword } from "@/server/auth/passwords";
import { hashToken, makeToken, tokenSuffix } from "@/server/auth/tokens";
import { reviewSuspect } from "@/server/batches/review/review-new-batches";
import type { StaffRole } from "@/server/kernel/context";
import { invalid } from "@/server/kernel/to-domain-error";
import { dropCheckpoint } from "@/server/ledger/checkpoint";
import { PACKED_COLUMNS, unpacked } from "@/server/ledger/packed-transfers";

const HISTORY_HOURS = 720;
/** Beyond this the demo is for measuring lists, not for viewing batches, so batches become small. */
const LARGE_BATCHES = 50_000;

export interface SeedDemo {
  batches: number;
  add: boolean;
  adminEmail: string;
  /** Generated and returned if absent. */
  adminPassword?: string | undefined;
}

export interface SeededDemo {
  batches: number;
  transfers: number;
  /** New team members with generated passwords. Existing ones keep theirs. */
  people: { email: string; role: StaffRole; password: string }[];
  tokens: { contractAddress: string; label: string; token: string }[];
}

const TABLES = `accounts, audit_log, batch_reviews, batch_transfers, batches, finalizer_runs, issuances,
  recipient_transfers`;

/** A month of data. @throws DomainError `validation_failed` when the database has batches or this data */
export async function seedDemo(db: Database, options: SeedDemo): Promise<SeededDemo> {
  const people = await makePeople(db, options);
  const seeded = await db.sql.begin(async (tx) => {
    await tx`set local work_mem = '128MB'`;
    // JIT would take longer than running these statements.
    await tx`set local jit = off`;
    await drawWorld(tx, options.batches);
    const [state] = await tx<Record<"hasBatches" | "hasDemo", boolean>[]>`
      select exists (select 1 from batches) as "hasBatches",
        exists (select 1 from contracts join demo_contracts using (address)) as "hasDemo"`;
    if (state!.hasBatches && !options.add)
      throw invalid("The database already contains batches. Use --add to add more.");
    if (state!.hasDemo) throw invalid("The demo data has already been added.");
    for (const statement of [DRAWN_BATCHES, ROWS, UNUSUAL, TOTALS, KEYS, LIVES]) await tx.unsafe(statement);
    const { tokens, added } = await storePeople(tx, people);
    await storeRecipients(tx);
    for (const statement of [BATCHES, TRANSFERS, DRAWN_ISSUANCES, ISSUANCES, ACCOUNTS, RUNS, AUDIT])
      await tx.unsafe(statement);
    // In a database that had batches before, reviews continue where they were.
    if (!state!.hasBatches)
      await tx`
        insert into review_progress (created_at, batch_seq)
        select created_at, seq from drawn_batches join drawn_keys using (k) order by k desc limit 1
        on conflict (singleton) do nothing`;
    const [unusual] = await tx<{ contractAddress: Buffer; seq: string }[]>`
      select contract_address as "contractAddress", seq::text from drawn_keys join drawn_unusual using (k)`;
    // The next incremental check would miss batches settled before its checkpoint.
    await dropCheckpoint(tx);
    const [size] = await tx<{ batches: number; transfers: number }[]>`
      select count(*)::int as batches, sum(transfer_count)::int as transfers from drawn_totals`;
    return { ...size!, tokens, added, unusual };
  });
  await db.sql.unsafe(`vacuum analyze ${TABLES}`);
  const { added, unusual, ...rest } = seeded;
  if (unusual) await reviewSuspect(db, unusual);
  const shown = people.filter(
    ({ email, password }) => added.includes(email) && password !== options.adminPassword,
  );
  return { ...rest, people: shown.map(({ email, role, password }) => ({ email, role, password })) };
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

/** In temporary tables. Randomness is a hash of a number, so that query plans do not change the result. */
async function drawWorld(tx: TransactionSql, batches: number): Promise<void> {
  await tx.unsafe(`
    create or replace function pg_temp.chance(n bigint, salt int) returns float8
    immutable parallel safe language sql as $$
      select (hashint8extended(n, salt + 1000) & 4503599627370495)::float8
        / 4503599627370496 $$`);
  await tx.unsafe(`
    create or replace function pg_temp.made_uuid(n bigint, salt int) returns uuid
    immutable parallel safe language sql as $$ select md5(n || '/' || salt || '/1')::uuid $$`);
  await tx`create temp table world (at timestamptz, batches int, candidates_mean float8) on commit drop`;
  const mean = batches > LARGE_BATCHES ? 3 : 12;
  await tx`
    insert into world
    select date_trunc('milliseconds', now()), ${batches}::int, ${mean}::float8`;
  await tx.unsafe(CONTRACTS);
  await tx.unsafe(WALLETS);
}

/** A made address, always the same. */
const addressOf = (what: string, ordinal: string) =>
  `substring(sha256(convert_to('demo ${what} ' || ${ordinal} || '/1', 'UTF8')) for 20)`;

const CONTRACTS = `
  create temp table demo_contracts on commit drop as
  select ordinal, ${addressOf("contract", "ordinal")} as address,
    ${addressOf("operator", "ordinal")} as operator_address, label, issuance::issuance, token,
    share_before, share_after,
    w.at - ${HISTORY_HOURS} * interval '1 hour' - (4 - ordinal) * interval '2 hours' as created_at
  from world w, (values
    (1, 'Rewards', 'ON_DEMAND', 'rewards-backend', 0.0, 0.55),
    (2, 'Season 2 payouts', 'ON_DEMAND', 'payout-job', 0.55, 0.85),
    (3, 'Partner grants', 'PREFUNDED', 'grants-desk', 0.85, 1.0)
  ) as c (ordinal, label, issuance, token, share_before, share_after)`;

const WALLETS = `
  create temp table wallets on commit drop as
  select number, ${addressOf("wallet", "number")} as address
  from generate_series(0, (select greatest(200, batches / 2) from world) - 1) as number`;

// The batches, their transfers and their history in temporary tables. Recipients follow a power law: few
// wallets are paid often, most only once or twice.

const DRAWN_BATCHES = `
  create temp table drawn_batches on commit drop as
  select row_number() over (order by created_at, n) as k, n, created_at,
    (array[3600, 7200, 21600, 43200, 86400])[1 + floor(pg_temp.chance(n, 2) * 5)::int] as wait_seconds,
    case when pg_temp.chance(n, 3) < 0.8 then 'PHASE2_POINTS' else 'PHASE2_GOLD' end::point_type
      as point_type,
    (array[0, 0, 2, 2, 4, 6])[1 + floor(pg_temp.chance(n, 4) * 6)::int] as digits,
    1 + floor(least(
        (power(greatest(pg_temp.chance(n, 5), 1e-9), -0.6) - 1) * (candidates_mean - 1) / 1.5, 1999
      ))::int as candidates,
    pg_temp.chance(n, 6) as contract_chance
  from (
    select n, candidates_mean, date_trunc('milliseconds', w.at - interval '1 minute'
      - ${HISTORY_HOURS} * interval '1 hour' * (1 - power(pg_temp.chance(n, 1), 0.8))) as created_at
    from world w, generate_series(1, w.batches) as n
  ) as placed;
  analyze drawn_batches`;

const ROWS = `
  create temp table drawn_rows on commit drop as
  select k,
    row_number() over (partition by k order by pg_temp.chance(k * 2000 + wallet, 11), wallet) - 1 as position,
    wallets.address as to_address,
    trim_scale(case point_type
      when 'PHASE2_POINTS'
      then greatest(round(size::numeric, digits), case digits when 0 then 1 else 0.01 end)
      else greatest(round((size / 150)::numeric, 6), 0.000001) end) as points
  from (
    select k, point_type, digits, wallet,
      exp(4 + 2.2 * (pg_temp.chance(k * 2000 + wallet, 12) + pg_temp.chance(k * 2000 + wallet, 13)
        + pg_temp.chance(k * 2000 + wallet, 14) - 1.5)) as size
    from (
      select distinct b.k, b.point_type, b.digits,
        floor((select count(*) from wallets) * power(pg_temp.chance(b.n * 2000 + i, 10), 3))::int as wallet
      from drawn_batches b, generate_series(1, b.candidates) as i
    ) as chosen
  ) as sized
  join wallets on wallets.number = wallet;
  analyze drawn_rows`;

/** The largest contract's newest pending batch pays a hundred times what was drawn: its review finds it. */
const UNUSUAL = `
  create temp table drawn_unusual on commit drop as
  select k from drawn_batches
  where point_type = 'PHASE2_POINTS'
    and contract_chance < (select share_after from demo_contracts where ordinal = 1)
    and pg_temp.chance(k, 20) >= 0.03 and pg_temp.chance(k, 21) >= 0.03
  order by k desc limit 1;
  update drawn_rows set points = trim_scale(points * 100) where k = (select k from drawn_unusual)`;

/** The same digest as terms/batch-text.ts, so that a repeated submit is recognized. */
const TOTALS = `
  create temp table drawn_totals on commit drop as
  select b.k, c.address as contract_address, c.ordinal, c.token,
    r.transfer_count, r.points, r.addresses, r.amounts,
    sha256(convert_to(concat(
        'point-batch-1', E'\\n', '0x', encode(c.address, 'hex'), E'\\n', b.point_type, E'\\n',
        case when b.wait_seconds = 86400 then 'default' else b.wait_seconds::text end, E'\\n', r.lines
      ), 'UTF8')) as digest,
    r.transfers_hash
  from drawn_batches b
  join demo_contracts c on b.contract_chance >= c.share_before and b.contract_chance < c.share_after
  join (
    select k, count(*)::int as transfer_count, sum(points) as points,
      string_agg(to_address, '' order by position) as addresses,
      array_agg(points order by position) as amounts,
      string_agg('0x' || encode(to_address, 'hex') || ' ' || points || E'\\n', '' order by position) as lines,
      sha256(convert_to(
        string_agg('0x' || encode(to_address, 'hex') || ' ' || points, E'\\n' order by to_address), 'UTF8'
      )) as transfers_hash
    from drawn_rows group by k
  ) as r using (k);
  analyze drawn_totals`;

/** Ids and sequence numbers as the service would have assigned them, in order of creation. */
const KEYS = `
  create temp table drawn_keys on commit drop as
  select k, nextval('batches_seq_seq') as seq, contract_address,
    case ordinal
      when 2
      then 'payout-' || to_char(created_at at time zone 'UTC', 'YYYYMMDD') || '-' || lpad(k::text, 7, '0')
      else overlay(overlay(md5(n || '/id/' || contract_address::text)
        placing lpad(to_hex((extract(epoch from created_at) * 1000)::bigint), 12, '0') || '7' from 1 for 13)
        placing 'a' from 17 for 1)::uuid::text
    end as id
  from (select * from drawn_batches join drawn_totals using (k) order by k) as ordered;
  analyze drawn_keys`;

/** Batches are finalized when due. The last are on hold or just being finalized, so none is overdue. */
const LIVES = `
  create temp table drawn_lives on commit drop as
  with due as (
    select k, b.created_at, b.created_at + b.wait_seconds * interval '1 second' as finalize_at, w.at,
      pg_temp.chance(k, 20) < 0.03 as is_cancelled
    from drawn_batches b, world w
  ), ranked as (
    select *,
      row_number() over (partition by is_cancelled, finalize_at <= at order by finalize_at desc, k) as rank
    from due
  ), stated as (
    select *,
      case
        when is_cancelled then 'CANCELLED'
        when finalize_at > at or rank > 4 and rank <= 8 then 'PENDING'
        when rank <= 4 then 'FINALIZING'
        else 'FINALIZED'
      end::batch_status as status,
      case when finalize_at <= at then rank > 4 and rank <= 8 else pg_temp.chance(k, 21) < 0.03 end as is_held
    from ranked
  )
  select s.k, s.finalize_at, s.status,
    to_timestamp(ceil(extract(epoch from s.finalize_at) * 2) / 2) as tick_at,
    date_trunc('milliseconds',
      s.created_at + pg_temp.chance(k, 22) * (least(s.finalize_at, s.at) - s.created_at)) as stopped_at,
    (s.status = 'PENDING' and s.is_held) as is_held,
    case when s.status = 'CANCELLED' and pg_temp.chance(k, 23) < 0.4
      then (array['Wrong amounts: yesterday''s export was sent again', 'Requested by the partner',
        'Recipients are on the test network', 'Replaced by a corrected batch'])[1 + k % 4]
      when s.status = 'PENDING' and s.is_held
      then (array['Twice the usual size: asked the partner', 'Under review by finance'])[1 + k % 2]
    end as staff_reason
  from stated s;
  analyze drawn_lives`;

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
        created_at + interval '5 minutes', w.at - interval '2 minutes'
      from demo_contracts, world w where address = ${address}`;
    tokens.push({ contractAddress: `0x${address.toString("hex")}`, label, token });
  }
  const added = await tx<{ email: string }[]>`
    insert into staff (email, role, password_hash, created_at, last_sign_in_at)
    select p.email, p.role::staff_role, p.hash, w.at - interval '31 days', w.at - interval '3 hours'
    from world w, unnest(${people.map((p) => p.email)}::text[], ${people.map((p) => p.role)}::text[],
      ${people.map((p) => p.passwordHash)}::text[]) as p (email, role, hash)
    on conflict (email) do nothing returning email`;
  return { tokens, added: added.map(({ email }) => email) };
}

// Nothing below conflicts, but without `on conflict` Citus 13 would commit in one phase (docs/internals.md).

const BATCHES = `
  insert into batches (contract_address, seq, id, point_type, status, points, transfer_count, wait_seconds,
    digest, transfers_hash, submitted_by, submit_request_id, created_at, finalize_at, updated_at,
    claim_id, claimed_at, lease_until, finalized_at,
    cancelled_at, cancelled_by, cancel_reason, cancel_request_id, held_at, held_by, hold_reason)
  overriding system value
  select contract_address, s.seq, s.id, b.point_type, l.status, t.points, t.transfer_count, b.wait_seconds,
    t.digest, t.transfers_hash,
    'token:' || t.token, pg_temp.made_uuid(b.k, 30)::text, b.created_at, l.finalize_at,
    case l.status when 'CANCELLED' then l.stopped_at when 'FINALIZING' then w.at
      when 'FINALIZED' then l.tick_at + interval '80 milliseconds' end,
    case when l.status in ('FINALIZING', 'FINALIZED')
      then pg_temp.made_uuid((extract(epoch from l.tick_at) * 1000)::bigint, 31) end,
    case l.status when 'FINALIZING' then w.at when 'FINALIZED' then l.tick_at end,
    case when l.status = 'FINALIZING' then w.at end,
    case when l.status = 'FINALIZED' then l.tick_at + interval '80 milliseconds' end,
    case when l.status = 'CANCELLED' then l.stopped_at end,
    case
      when l.status <> 'CANCELLED' then null
      when l.staff_reason is null then 'token:' || t.token
      else 'staff:operator@example.com' end,
    case when l.status = 'CANCELLED' then l.staff_reason end,
    case when l.status = 'CANCELLED' then pg_temp.made_uuid(b.k, 32)::text end,
    case when l.is_held then l.stopped_at end,
    case when l.is_held then 'staff:operator@example.com' end,
    case when l.is_held then l.staff_reason end
  from drawn_batches b join drawn_totals t using (k) join drawn_lives l using (k)
    join drawn_keys s using (k, contract_address), world w
  order by s.seq
  on conflict (contract_address, seq) do nothing`;

const TRANSFERS = `
  insert into batch_transfers (batch_seq, contract_address, addresses, points)
  select seq, contract_address, addresses, amounts::numeric(38,12)[]
  from drawn_totals join drawn_keys using (k, contract_address) order by seq
  on conflict (batch_seq, contract_address) do nothing`;

/** An ON_DEMAND contract is issued what each batch needs, a PREFUNDED one 10% more than all at the start. */
const DRAWN_ISSUANCES = `
  create temp table drawn_issuances on commit drop as
  select contract_address, b.point_type, points, seq as batch_seq, null as granted_by, b.created_at
  from drawn_batches b join drawn_totals using (k) join drawn_keys using (k, contract_address)
    join demo_contracts c on c.address = contract_address
  where c.issuance = 'ON_DEMAND'
  union all
  select address, b.point_type, ceil(sum(points) * 1.1 / 1000) * 1000, null, 'staff:operator@example.com',
    c.created_at + interval '10 minutes'
  from drawn_batches b join drawn_totals using (k) join demo_contracts c on c.address = contract_address
  where c.issuance = 'PREFUNDED' group by c.address, c.created_at, b.point_type`;

const ISSUANCES = `
  insert into issuances (contract_address, point_type, points, batch_seq, granted_by, created_at)
  select contract_address, point_type, points, batch_seq, granted_by, created_at from drawn_issuances
  order by granted_by is not null, created_at, batch_seq, point_type
  on conflict (contract_address, created_at, id) do nothing`;

/** Locks the accounts in address order, as settling does. */
const ACCOUNTS = `
  insert into accounts as a (address, point_type, earned, received, sent, pending)
  select address, point_type, sum(earned), sum(received), sum(sent), sum(pending) from (
    select r.to_address as address, b.point_type,
      0::numeric as earned, r.points as received, 0::numeric as sent, 0::numeric as pending
    from drawn_rows r join drawn_batches b using (k) join drawn_lives l using (k) where l.status = 'FINALIZED'
    union all
    select t.contract_address, b.point_type, 0, 0, case l.status when 'FINALIZED' then t.points else 0 end,
      case when l.status in ('PENDING', 'FINALIZING') then t.points else 0 end
    from drawn_totals t join drawn_batches b using (k) join drawn_lives l using (k)
    union all
    select contract_address, point_type, points, 0, 0, 0 from drawn_issuances
  ) as changes
  group by address, point_type order by address, point_type
  on conflict (address, point_type) do update
    set earned = a.earned + excluded.earned, received = a.received + excluded.received,
      sent = a.sent + excluded.sent, pending = a.pending + excluded.pending`;

/** Before the batches are stored, and with those that the service stored and did not index yet. */
async function storeRecipients(tx: TransactionSql): Promise<void> {
  const [mark] = await tx<{ at: string; seq: string }[]>`
    select created_at::text as at, batch_seq::text as seq from recipient_progress for update`;
  const [last] = await tx<{ at: string; seq: string }[]>`
    select created_at::text as at, seq::text as seq from drawn_batches join drawn_keys using (k)
    order by k desc limit 1`;
  await tx`
    with packed as materialized (
      select b.created_at, ${tx.unsafe(PACKED_COLUMNS)}
      from batches b join batch_transfers t on t.batch_seq = b.seq and t.contract_address = b.contract_address
      where (b.created_at, b.seq) > (${mark!.at}::timestamptz, ${mark!.seq}::bigint)
        and (b.created_at, b.seq) <= (${last!.at}::timestamptz, ${last!.seq}::bigint)
    )
    insert into recipient_transfers (to_address, created_at, batch_seq, contract_address, points)
    select to_address, created_at, batch_seq, contract_address, points
    from (${unpacked(tx, "packed", "p.created_at, p.batch_seq, p.contract_address")}) as transfers
    order by to_address
    on conflict (to_address, created_at, batch_seq, contract_address) do nothing`;
  await tx`
    insert into recipient_transfers (to_address, created_at, batch_seq, contract_address, points)
    select r.to_address, b.created_at, s.seq, s.contract_address, r.points
    from drawn_rows r join drawn_batches b using (k) join drawn_keys s using (k)
    order by r.to_address, b.created_at, s.seq
    on conflict (to_address, created_at, batch_seq, contract_address) do nothing`;
  await tx`
    update recipient_progress set created_at = ${last!.at}::timestamptz, batch_seq = ${last!.seq}::bigint
    where (created_at, batch_seq) < (${last!.at}::timestamptz, ${last!.seq}::bigint)`;
}

/** What the service and its users would have written: finalizer runs, and who held or cancelled a batch. */
const RUNS = `
  insert into finalizer_runs (id, started_by, started_at, finished_at, batches_finalized, transfers_settled,
    lag_seconds_max)
  select pg_temp.made_uuid((extract(epoch from l.tick_at) * 1000)::bigint, 40), 'scheduler', l.tick_at,
    l.tick_at + interval '90 milliseconds', count(*), sum(t.transfer_count),
    max(ceil(extract(epoch from l.tick_at + interval '80 milliseconds' - l.finalize_at)))
  from drawn_lives l join drawn_totals t using (k) where l.status = 'FINALIZED'
  group by l.tick_at order by l.tick_at`;

const AUDIT = `
  insert into audit_log (at, actor, action, target, detail, request_id)
  select stopped_at, 'staff:operator@example.com',
    case when is_held then 'batch.hold' else 'batch.cancel' end,
    'batch:0x' || encode(contract_address, 'hex') || '/' || id, jsonb_build_object('reason', staff_reason),
    pg_temp.made_uuid(k, 32)::text
  from drawn_lives join drawn_keys using (k) where staff_reason is not null order by stopped_at, k`;
