import postgres, { type TransactionSql } from "postgres";
import { createDatabase, type Database, type DatabaseOptions, within } from "./client";

export interface Replica {
  /**
   * Runs reads on the replica once it has everything that was committed on the primary before this call, else on the
   * primary: behind, away or slow, it costs a wait of `waitMs` and a second of rest, never a stale or a lost answer.
   * The reads may run twice.
   */
  read<T>(primary: Database, reads: (db: Database) => Promise<T>): Promise<T>;
  /** How many reads were answered where. */
  readonly answered: { byReplica: number; byPrimary: number };
  close(): Promise<void>;
}

export interface ReplicaOptions extends DatabaseOptions {
  /** Longest wait for a connection to the replica and for it to have what the primary has. */
  waitMs: number;
  onUnused?: (reason: unknown) => void;
}

/** A replica that was behind, away or slow is left alone for so long; then one read looks whether it is well again. */
const REST_MS = 1000;
const LOOK_EVERY_MS = 3;
/** Of a read on the replica: the primary still answers within the caller's time. */
const READ_SECONDS_MAX = 2;

class ReplicaUnusedError extends Error {
  override name = "ReplicaUnusedError";
}

/** The pool of a replica. The primary's position is asked for each read, so it does not matter which process wrote. */
export function createReplica(options: ReplicaOptions): Replica {
  const timeoutSeconds = Math.min(options.timeoutSeconds, READ_SECONDS_MAX);
  const pool = createDatabase({ ...options, timeoutSeconds });
  const answered = { byReplica: 0, byPrimary: 0 };
  let restsUntil = 0;

  function byPrimary<T>(primary: Database, reads: (db: Database) => Promise<T>): Promise<T> {
    answered.byPrimary++;
    return reads(primary);
  }

  async function read<T>(primary: Database, reads: (db: Database) => Promise<T>): Promise<T> {
    if (performance.now() < restsUntil) return byPrimary(primary, reads);
    // After a rest one read looks; those beside it do not wait with it.
    if (restsUntil > 0) restsUntil = performance.now() + REST_MS;
    const position = await primaryPosition(primary);
    try {
      if (!position) throw new ReplicaUnusedError("The primary does not tell its position.");
      const result = await readAt(pool, position, options.waitMs, reads);
      restsUntil = 0;
      answered.byReplica++;
      return result;
    } catch (reason) {
      restsUntil = performance.now() + REST_MS;
      options.onUnused?.(reason);
      return byPrimary(primary, reads);
    }
  }

  return { read, answered, close: () => pool.close() };
}

/** Up to where, in which history of which cluster. */
interface Position {
  lsn: string;
  timeline: number;
  system: string;
}

/**
 * What was committed before this is at or before the position. A commit is flushed before it is answered, so the flushed
 * end will do; where a setting may have turned `synchronous_commit` off only the inserted end does, which replicas get
 * within a fifth of a second. Null when the server refuses to tell.
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

/** Look and reads share a connection: behind one address there may be several replicas. Each statement has its own snapshot. */
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
      reject(new ReplicaUnusedError(`The replica did not have the primary's position within ${waitMs} ms.`));
    }, waitMs);
    stopWaiting = () => clearTimeout(timer);
  });
  const attempt = pool.sql.begin("read only", async (tx) => {
    while (!gaveUp && !(await hasReplayed(tx, position)))
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
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

/** A promoted replica, one of another cluster or one that still follows a history before a failover is none of ours. */
async function hasReplayed(tx: TransactionSql, { lsn, timeline, system }: Position): Promise<boolean> {
  const [now] = await tx<{ ours: boolean; replayed: boolean | null }[]>`
    select pg_last_wal_replay_lsn() >= ${lsn}::text::pg_lsn as replayed,
      pg_is_in_recovery() and system_identifier::text = ${system} and timeline_id = ${timeline}::int as ours
    from pg_control_system(), pg_control_checkpoint()`;
  if (!now?.ours) throw new ReplicaUnusedError("The server is not a replica of the primary as it is now.");
  return now.replayed === true;
}
