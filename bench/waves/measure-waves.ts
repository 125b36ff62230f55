import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createDatabase, type Database } from "@/db/client";
import { startEmbeddedPostgres } from "@/db/embedded";
import { migrateDatabase } from "@/db/migrate";
import { claimDueBatches } from "@/server/finalizer/claim-due-batches";
import { finalizeDueBatches } from "@/server/finalizer/finalize-due-batches";
import { settleClaim } from "@/server/ledger/settle";
import { catchUpRecipients } from "@/server/recipients/index-recipients";

/** All chunks of a wave. */
export interface MeasuredWave {
  chunks: number;
  batches: number;
  transfers: number;
  ms: number;
}

const RECIPIENTS = 200_000;
const POOL_MAX = 8;

/** Runs `work` with its own migrated Postgres, with `fsync` on. */
export async function withEmptyDatabase<T>(use: (db: Database) => Promise<T>): Promise<T> {
  const dataDir = mkdtempSync(path.join(tmpdir(), "ptb-waves-"));
  const postgres = await startEmbeddedPostgres({ dataDir });
  try {
    await migrateDatabase({ url: postgres.url, timeoutSeconds: 10 });
    const url = postgres.url;
    const db = createDatabase({ url, poolMax: POOL_MAX, timeoutSeconds: 60, pooler: "none" });
    try {
      return await use(db);
    } finally {
      await db.close();
    }
  } finally {
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Stores batches of one size for a hundred contracts, all due now; the ledger balances. */
export async function storeWave(db: Database, count: number, transfers: number): Promise<void> {
  await db.sql.begin(async (tx) => {
    await tx`select set_config('statement_timeout', '0', true)`;
    await tx`
      insert into contracts (address, label)
      select decode(lpad(to_hex(n), 40, 'c'), 'hex'), 'Contract ' || n from generate_series(1, 100) n on conflict do nothing`;
    await tx`
      with stored as (
        insert into batches (contract_address, id, point_type, points, transfer_count, wait_seconds, digest, submitted_by,
          submit_request_id, created_at, finalize_at)
        select decode(lpad(to_hex(1 + n % 100), 40, 'c'), 'hex'), gen_random_uuid()::text, 'PHASE2_POINTS', ${transfers}::int,
          ${transfers}::int, 3600, sha256(n::text::bytea), 'token:wave', 'wave',
          date_trunc('milliseconds', now()) - interval '1 hour',
          date_trunc('milliseconds', now())
        from generate_series(1, ${count}::int) n returning contract_address, seq, points
      ), rows as (
        insert into batch_transfers (batch_seq, contract_address, addresses, points)
        select seq, contract_address,
          (select string_agg(decode(lpad(to_hex(((seq * 7919 + position) * 48271) % ${RECIPIENTS}::int), 40, 'a'), 'hex'), ''
            order by position) from generate_series(0, ${transfers - 1}::int) position),
          array_fill(1::numeric, array[${transfers}::int])
        from stored
      ), issued as (
        insert into issuances (contract_address, point_type, points, batch_seq)
        select contract_address, 'PHASE2_POINTS', points, seq from stored
      )
      insert into accounts as a (address, point_type, earned, pending)
      select contract_address, 'PHASE2_POINTS', sum(points), sum(points) from stored group by 1 order by 1
      on conflict (address, point_type) do update set earned = a.earned + excluded.earned, pending = a.pending + excluded.pending`;
    await tx`
      insert into accounts (address, point_type) select address, kind from contracts, unnest(enum_range(null::point_type)) kind
      on conflict do nothing`;
  });
  await db.sql.unsafe("vacuum analyze batches, batch_transfers, accounts, issuances");
}

/** Settles everything due like one finalizer, and times it. */
export async function measureChunks(db: Database): Promise<MeasuredWave> {
  const wave: MeasuredWave = { chunks: 0, batches: 0, transfers: 0, ms: 0 };
  for (;;) {
    const startedAt = performance.now();
    const claim = await claimDueBatches(db, randomUUID());
    if (claim.batches === 0) return wave;
    const { batches, transfers } = await settleClaim(db, claim);
    wave.chunks++;
    wave.batches += batches;
    wave.transfers += transfers;
    wave.ms += performance.now() - startedAt;
  }
}

/**
 * Runs the service's finalizers until nothing is due.
 * @returns every batch's lag in milliseconds, ascending, counted from the finalizers' start, because all were due before
 */
export async function measureLags(
  db: Database,
  finalizers: number,
  times: { tickMs: number; budgetMs: number },
): Promise<number[]> {
  const [begun] = await db.sql<{ at: string }[]>`select clock_timestamp()::text as at`;
  const left = async () =>
    (
      await db.sql<{ left: number }[]>`select count(*)::int as left from batches where status <> 'FINALIZED'`
    )[0]!.left;
  const work = async () => {
    while ((await left()) > 0) {
      await finalizeDueBatches(db, { budgetSeconds: times.budgetMs / 1000, startedBy: "wave" });
      await catchUpRecipients(db, 1);
      await new Promise((resolve) => setTimeout(resolve, times.tickMs));
    }
  };
  await Promise.all(Array.from({ length: finalizers }, work));
  const rows = await db.sql<{ lag: number }[]>`
    select (extract(epoch from finalized_at - ${begun!.at}::timestamptz) * 1000)::float8 as lag from batches where submit_request_id = 'wave' order by 1`;
  return rows.map(({ lag }) => lag);
}

export async function empty(db: Database): Promise<void> {
  await db.sql.unsafe(
    "truncate batches, batch_transfers, accounts, issuances, contracts, webhook_endpoints, recipient_transfers; update recipient_progress set created_at = '1970-01-01T00:00:00Z', batch_seq = 0",
  );
}
