import postgres, { type TransactionSql } from "postgres";
import { createDatabase, type Database, type DatabaseOptions, within } from "./client";

export interface Replica {
  /**
   * Runs reads on the replica once it has replayed everything committed on the primary before this call. If it is behind,
   * down or slow, the reads run on the primary after `waitMs`, and the replica is skipped for a second. Replies are never
   * stale or lost. The reads may run twice.
   */
  read<T>(primary: Database, reads: (db: Database) => Promise<T>): Promise<T>;
  /** How many reads each server answered. */
  readonly answered: { byReplica: number; byPrimary: number };
  close(): Promise<void>;
}

export interface ReplicaOptions extends DatabaseOptions {
  /** Max wait for a connection to the replica and for it to catch up. */
  waitMs: number;
  onUnused?: (reason: unknown) => void;
}

/** How long to skip a replica that was behind, down or slow. Then one read tries it again. */
const SKIP_MS = 1000;
const POLL_MS = 3;
/** Timeout of a read on the replica. Leaves the primary enough time to answer the caller. */
const READ_SECONDS_MAX = 2;

class ReplicaUnusedError extends Error {
  override name = "ReplicaUnusedError";
}

/** The pool of a replica. Every read queries the primary's position, so it does not matter which process wrote. */
export function createReplica(options: ReplicaOptions): Replica {
  const timeoutSeconds = Math.min(options.timeoutSeconds, READ_SECONDS_MAX);
  const pool = createDatabase({ ...options, timeoutSeconds });
  const answered = { byReplica: 0, byPrimary: 0 };
  let skippedUntil = 0;

  function byPrimary<T>(primary: Database, reads: (db: Database) => Promise<T>): Promise<T> {
    answered.byPrimary++;
    return reads(primary);
  }

  async function read<T>(primary: Database, reads: (db: Database) => Promise<T>): Promise<T> {
    if (performance.now() < skippedUntil) return byPrimary(primary, reads);
    // After the pause, one read tries the replica and concurrent reads do not wait for it.
    if (skippedUntil > 0) skippedUntil = performance.now() + SKIP_MS;
    const position = await primaryPosition(primary);
    try {
      if (!position) throw new ReplicaUnusedError("The primary does not report its position.");
      const result = await readAt(pool, position, options.waitMs, reads);
      skippedUntil = 0;
      answered.byReplica++;
      return result;
    } catch (reason) {
      skippedUntil = performance.now() + SKIP_MS;
      options.onUnused?.(reason);
      return byPrimary(primary, reads);
    }
  }

  return { read, answered, close: () => pool.close() };
}

/** A WAL position, with its timeline and cluster. */
interface Position {
  lsn: string;
  timeline: number;
  system: string;
}

/**
 * A position that covers everything committed before this call. Commits are flushed before they are acknowledged, so the
 * flush position is enough. If `synchronous_commit` may be off, only the insert position is, which replicas reach within
 * 200 ms. Null when the server does not report it.
 */
async function primaryPosition(primary: Database): Promise<Position | null> {
  try {
    const [position] = await primary.sql<Position[]>`
      select (case when current_setting('synchronous_commit') = 'off' or exists (
            select from pg_db_role_setting, unnest(setconfig) as set where set like 'synchronous_commit=%')
          then pg_current_wal_insert_lsn() else pg_current_wal_flush_lsn() end)::text as lsn,
        ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int as timeline,
        (select system_identifier::text from pg_control_system()) as system`;
    return position!;
  } catch (error) {
    if (error instanceof postgres.PostgresError) return null;
    throw error;
  }
}

/** The check and the reads share a connection, because one address may lead to several replicas. Each statement has its own snapshot. */
async function readAt<T>(
  pool: Database,
  position: Position,
  waitMs: number,
  reads: (db: Database) => Promise<T>,
): Promise<T> {
  let gaveUp = false;
  let stopWaiting: () => void = () => undefined;
  const tooLate = new Promise<never>((_, reject) => {
    const timer = setTimeout(() => {
      gaveUp = true;
      reject(new ReplicaUnusedError(`The replica did not catch up with the primary within ${waitMs} ms.`));
    }, waitMs);
    stopWaiting = () => clearTimeout(timer);
  });
  const attempt = pool.sql.begin("read only", async (tx) => {
    while (!gaveUp && !(await hasReplayed(tx, position)))
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    if (gaveUp) throw new ReplicaUnusedError("Too late.");
    stopWaiting();
    return reads(within(pool, tx));
  });
  try {
    return (await Promise.race([attempt, tooLate])) as T;
  } finally {
    stopWaiting();
    attempt.catch(() => undefined);
  }
}

/** Rejects a promoted replica, one of another cluster, and one that still follows the timeline before a failover. */
async function hasReplayed(tx: TransactionSql, { lsn, timeline, system }: Position): Promise<boolean> {
  const [now] = await tx<{ ours: boolean; replayed: boolean | null }[]>`
    select pg_last_wal_replay_lsn() >= ${lsn}::text::pg_lsn as replayed,
      pg_is_in_recovery() and system_identifier::text = ${system} and timeline_id = ${timeline}::int as ours
    from pg_control_system(), pg_control_checkpoint()`;
  if (!now?.ours) throw new ReplicaUnusedError("The server is not a replica of the current primary.");
  return now.replayed === true;
}
