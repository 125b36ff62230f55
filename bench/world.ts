import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { createDatabase, type Database } from "@/db/client";
import { startEmbeddedPostgres } from "@/db/embedded/start-embedded";
import { migrateDatabase } from "@/db/migrate";
import { createAccessToken } from "@/server/auth/tokens";
import { registerContract } from "@/server/contracts/change-contract";
import { grantPoints } from "@/server/ledger/issuances";
import { PACKED_COLUMNS, unpacked } from "@/server/ledger/packed-transfers";
import { urlAt } from "@/testing/citus/make-database";
import { withoutTriggers } from "@/testing/factories";

/** A run's Postgres: the embedded one with its normal settings, so with fsync. */
export interface World {
  postgresPid: number;
  /** A migrated database, perhaps of an earlier run, or a new copy of one that has no connections. */
  newDatabase(name: string, template?: string): Promise<BenchDatabase>;
  /** Stops what was started in it, when the part is over; the last first. */
  atEnd(stop: () => unknown): void;
}

export interface BenchDatabase {
  url: string;
  db: Database;
  drop(): Promise<void>;
}

export interface Caller {
  contractAddress: string;
  token: string;
}

export const CALLERS = 16;

/**
 * Runs a part in a world of its own. An interrupted one leaves no Postgres behind.
 * @param folder where its databases stay for the next run
 */
export async function withWorld<Result>(
  run: (world: World) => Promise<Result>,
  folder = "",
): Promise<Result> {
  const dataDir = folder || mkdtempSync(join(tmpdir(), "bench-"));
  const server = await startEmbeddedPostgres({ dataDir, asSuperuser: true });
  const end = () => (folder ? undefined : rmSync(dataDir, { recursive: true, force: true }));
  const remove = () => server.stop().then(end);
  const interrupted = () => void remove().finally(() => process.exit(130));
  process.once("SIGINT", interrupted).once("SIGTERM", interrupted);
  const admin = postgres(server.url, { max: 1, onnotice: () => undefined });
  const stops: (() => unknown)[] = [() => admin.end()];
  const [lock] = await admin`select split_part(pg_read_file('postmaster.pid'), e'\n', 1)::int as pid`;
  const newDatabase = async (name: string, template?: string): Promise<BenchDatabase> => {
    const url = urlAt(server.url, { database: name });
    if (template) await admin`drop database if exists ${admin(name)} with (force)`;
    const [kept] = await admin`select 1 from pg_database where datname = ${name}`;
    if (!kept) await admin`create database ${admin(name)} template ${admin(template ?? "template0")}`;
    if (!template) await migrateDatabase({ url, timeoutSeconds: 30 });
    // Seeding and vacuuming take long.
    const limits = { poolMax: 4, timeoutSeconds: 60, statementSecondsMax: 1800 };
    const db = createDatabase({ url, ...limits, pooler: "none" });
    stops.unshift(() => db.close());
    const drop = () => db.close().then(() => admin`drop database ${admin(name)} with (force)`);
    return { url, db, drop: async () => void (await drop()) };
  };
  try {
    return await run({ postgresPid: lock!.pid, newDatabase, atEnd: (stop) => void stops.unshift(stop) });
  } finally {
    for (const stop of stops) await (async () => stop())().catch(console.error);
    await remove();
    process.off("SIGINT", interrupted).off("SIGTERM", interrupted);
  }
}

/** Sixteen contracts with points to send, each with a token. */
export async function makeCallers(db: Database): Promise<Caller[]> {
  const ctx = { db, actor: "bench", requestId: randomUUID() };
  const scopes = ["batches:read" as const, "batches:write" as const];
  const callers: Caller[] = [];
  for (let at = 1; at <= CALLERS; at++) {
    const contractAddress = `0xbe${at.toString(16).padStart(38, "0")}`;
    const contract = { address: contractAddress, label: `Bench ${at}`, operatorAddress: null };
    await registerContract(ctx, { ...contract, issuance: "PREFUNDED" });
    await grantPoints(ctx, { contractAddress, pointType: "PHASE2_POINTS", points: "1000000000000000000" });
    const { token } = await createAccessToken(ctx, {
      contractAddress,
      name: "bench",
      scopes,
      expiresAt: null,
    });
    callers.push({ contractAddress, token });
  }
  return callers;
}

const STATEMENT_ROWS = 50_000;

interface SeedOptions extends Record<"batches" | "transfersEach" | "recipients", number> {
  /** All PENDING and due, for settling; otherwise three months of batches in every state. */
  due: boolean;
}

/** Stores batches of new callers in bulk. */
export async function seedBatches(db: Database, options: SeedOptions): Promise<Caller[]> {
  const { sql } = db;
  const callers = await makeCallers(db);
  const contracts = `{${callers.map(({ contractAddress }) => contractAddress.slice(2)).join(",")}}`;
  for (let from = 0; from < options.batches; from += STATEMENT_ROWS) {
    const to = Math.min(from + STATEMENT_ROWS, options.batches);
    await sql`
      with amounts as (
        select array_agg(amount order by i)::numeric(38,12)[] as points, sum(amount) as total
        from (
          select i, 1 + i % 997 + i % 100 * 0.01 + 0.001 as amount
          from generate_series(0, ${options.transfersEach - 1}::int) as i
        ) as each
      ), drawn as (
        select n, decode((${contracts}::text::text[])[1 + n % ${CALLERS}::int], 'hex') as contract,
          (case when ${options.due} then 'PENDING' when (n / 16) % 10 < 7 then 'FINALIZED'
            when (n / 16) % 10 = 7 then 'CANCELLED' else 'PENDING' end)::batch_status as status,
          case when ${options.due} or (n / 16) % 10 < 8 then 3600 else 91 * 86400 end as wait,
          date_trunc('milliseconds',
            now() - interval '90 days' + n * (interval '89 days' / ${options.batches}::int)) as at
        from generate_series(${from}::int, ${to - 1}::int) as n
      ), stored as (
        insert into batches (contract_address, id, point_type, status, points, transfer_count, wait_seconds,
          digest, submitted_by, submit_request_id, created_at, finalize_at, updated_at, claim_id,
          claimed_at, finalized_at, cancelled_at)
        select contract, 'seed-' || n,
          (case when ${options.due} or (n / 16) % 5 > 0 then 'PHASE2_POINTS' else 'PHASE2_GOLD'
            end)::point_type,
          status, (select total from amounts), ${options.transfersEach}::int, wait,
          sha256(n::text::bytea), 'token:seed', '', at,
          at + make_interval(secs => wait), case when status <> 'PENDING' then at + interval '1 hour' end,
          case when status = 'FINALIZED' then gen_random_uuid() end,
          case when status = 'FINALIZED' then at + interval '1 hour' end,
          case when status = 'FINALIZED' then at + interval '1 hour' end,
          case when status = 'CANCELLED' then at + interval '1 minute' end
        from drawn order by n
        returning seq, contract_address
      )
      insert into batch_transfers (batch_seq, contract_address, addresses, points)
      select seq, contract_address,
        (
          select string_agg(substring(sha256(
            ((seq * ${options.transfersEach}::int + i) % ${options.recipients}::int)::text::bytea
          ) for 20), '' order by i)
          from generate_series(0, ${options.transfersEach - 1}::int) as i
        ),
        (select points from amounts)
      from stored order by seq`;
  }
  await sql`
    insert into accounts as a (address, point_type, earned, pending)
    select contract_address, point_type, sum(points), sum(points)
    from batches where status = 'PENDING' group by 1, 2
    on conflict (address, point_type) do update
      set earned = a.earned + excluded.earned, pending = a.pending + excluded.pending`;
  await sql`update recipient_progress set created_at = now(), batch_seq = 0`;
  await sql`
    insert into review_progress (created_at, batch_seq) values (now(), 0) on conflict (singleton) do nothing`;
  await sql`vacuum analyze`;
  await sql`checkpoint`;
  return callers;
}

const PARTS = 5000;
const TRANSFERS_PER_PART = 200;

/** Makes batches of a contract the parts of two files: one that paid a million others, one to be released. */
export async function seedPayouts(db: Database, contractAddress: string): Promise<void> {
  const parts = "from payout_parts p where p.contract_address = b.contract_address and p.batch_seq = b.seq";
  await withoutTriggers(
    db,
    `insert into payout_parts (contract_address, batch_seq, payout_id, part, part_count, file_name)
     select contract_address, seq, case status when 'PENDING' then 'checked' else 'paid' end, part, ${PARTS},
       'payout.csv'
     from (
       select *, row_number() over (partition by status order by seq desc) as part from batches
       where contract_address = '\\x${contractAddress.slice(2)}' and point_type = 'PHASE2_POINTS'
         and status in ('FINALIZED', 'PENDING')
     ) as b where part <= ${PARTS};
     update batches b set held_at = now(), held_by = 'staff:seed', hold_reason = 'Not all of it is checked.',
       held_for_payout = true ${parts} and p.payout_id = 'checked';
     update batches b set transfer_count = ${TRANSFERS_PER_PART}, points = (
         select sum(1 + i % 97 * 0.01) from generate_series(1, ${TRANSFERS_PER_PART}) as i
       ) ${parts} and p.payout_id = 'paid';
     update batch_transfers t set (addresses, points) = (
         select string_agg(substring(sha256((t.batch_seq || ' ' || i)::bytea) for 20), '' order by i),
           array_agg(1 + i % 97 * 0.01 order by i)
         from generate_series(1, ${TRANSFERS_PER_PART}) as i
       )
     from payout_parts p
     where p.contract_address = t.contract_address and p.batch_seq = t.batch_seq and p.payout_id = 'paid'`,
  );
}

/** Indexes all transfers by recipient, and makes contracts as old and accounts as full as the batches say. */
export async function balanceSeeded({ sql }: Database): Promise<void> {
  await sql`update contracts set created_at = created_at - interval '120 days'`;
  await sql`
    insert into recipient_transfers (to_address, created_at, contract_address, batch_seq, points)
    with packed as materialized (select ${sql.unsafe(PACKED_COLUMNS)} from batch_transfers t)
    select u.to_address, b.created_at, u.contract_address, u.batch_seq, u.points
    from (${unpacked(sql, "packed", "p.batch_seq, p.contract_address")}) as u
      join batches b on b.contract_address = u.contract_address and b.seq = u.batch_seq`;
  await sql`
    insert into issuances (contract_address, point_type, points, granted_by)
    select address, 'PHASE2_GOLD', 1000000000000000, 'ops' from contracts`;
  await sql`
    insert into accounts (address, point_type, earned, received, sent, pending)
    select address, point_type, sum(earned), sum(received), sum(sent), sum(pending)
    from (
      select contract_address as address, point_type, points as earned, 0 as received, 0 as sent, 0 as pending
      from issuances
      union all
      select contract_address, point_type, 0, 0, case status when 'FINALIZED' then points else 0 end,
        case status when 'PENDING' then points else 0 end
      from batches
      union all
      select r.to_address, b.point_type, 0, r.points, 0, 0
      from recipient_transfers r
        join batches b on b.contract_address = r.contract_address and b.seq = r.batch_seq
      where b.status = 'FINALIZED'
    ) as history group by 1, 2
    on conflict (address, point_type) do update
      set earned = excluded.earned, sent = excluded.sent, pending = excluded.pending`;
  await sql`vacuum analyze`;
  await sql`checkpoint`;
}

/** The peers' table with a row per transfer, as one would write it by hand, with the seeded batches' rows. */
export async function unpackIntoRows({ sql }: Database): Promise<void> {
  await sql`
    create table transfers (
      batch_seq bigint, contract_address bytea, position integer,
      to_address bytea not null check (octet_length(to_address) = 20),
      points numeric(38,12) not null check (points > 0),
      primary key (batch_seq, contract_address, position)
    )`;
  await sql`
    insert into transfers (batch_seq, contract_address, position, to_address, points)
    with packed as materialized (select ${sql.unsafe(PACKED_COLUMNS)} from batch_transfers t)
    select batch_seq, contract_address, position, to_address, points
    from (${unpacked(sql, "packed", "p.batch_seq, p.contract_address")}) as each order by 1, 3`;
  await sql`truncate batch_transfers`;
  await sql`vacuum analyze transfers`;
  await sql`checkpoint`;
}
