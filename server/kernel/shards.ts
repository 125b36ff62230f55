import { setTimeout as sleep } from "node:timers/promises";
import type { Fragment, Sql, TransactionSql } from "postgres";
import { type Database, within } from "@/db/client";
import { baseOf } from "@/db/on-errand";
import { askFor, withEveryRow } from "@/db/session-settings";
import { DomainError } from "@/terms/problems";
import { addressArray } from "./address-bytes";
import { isFiltered, postgresError } from "./database-errors";

/**
 * On Citus, a statement that locks, recurses or changes rows must pin every table in it to the contracts of
 * one shard. Null on a single Postgres, where the condition would make finalizing a third slower.
 */
export type ShardContracts = readonly Buffer[] | null;

/** `and <column> = any(…)`, or nothing. Bound as `bytea[]`: Citus does not route by a cast from text. */
export function onShard({ sql }: Pick<Database, "sql">, contracts: ShardContracts, column: string) {
  return contracts === null ? sql`` : sql`and ${sql(column)} = any(${addressArray(contracts)}::bytea[])`;
}

/** How long "not distributed" is cached. `ops distribute` may run while the service is up. */
const BELIEVED_MS = 10_000;

const known = new WeakMap<object, { distributed: boolean; until: number }>();

/** Whether Citus has distributed the tables, by the catalog, not by a setting. "Yes" is cached for good. */
export async function isDistributed(db: Pick<Database, "sql" | "base">): Promise<boolean> {
  const { sql } = baseOf(db);
  const before = known.get(sql);
  if (before && performance.now() < before.until) return before.distributed;
  const distributed = await readCatalog(sql);
  known.set(sql, {
    distributed,
    until: distributed ? Number.POSITIVE_INFINITY : performance.now() + BELIEVED_MS,
  });
  return distributed;
}

async function readCatalog(sql: Database["sql"]): Promise<boolean> {
  const [citus] = await sql<{ here: boolean }[]>`select to_regclass('pg_dist_partition') is not null as here`;
  if (!citus!.here) return false;
  const [row] = await sql<{ distributed: boolean }[]>`
    select exists (select 1 from pg_dist_partition
      where logicalrelid = to_regclass('batches') and partmethod = 'h') as distributed`;
  return row!.distributed;
}

/** Earliest `since` of `rows` first. On a single Postgres: one entry, null, without a read. */
export async function shardsOf(db: Database, rows: Fragment): Promise<ShardContracts[]> {
  if (!(await isDistributed(db))) return [null];
  return (await groupByShard(db, rows)).map(({ contracts }) => contracts);
}

/** With row counts. Requires Citus. @param kind a column of the rows; the groups are then of one kind each */
export function groupByShard({ sql }: Database, rows: Fragment, kind = sql`null`) {
  return sql<{ contracts: Buffer[]; rows: number; kind: string | null }[]>`
    select array_agg(distinct contract_address) as contracts, count(*)::int as rows, ${kind} as kind
    from (${rows}) work
    group by get_shard_id_for_distribution_column('batches'::regclass, contract_address), 3
    order by min(since)`;
}

/**
 * A transaction over several workers commits on one after the other, and each worker has its own snapshot. So
 * a reader may see half of it. Writes to several shards hold this lock in shared mode until all workers have
 * committed. A reader that must see all or nothing holds it exclusively while it opens its snapshots.
 */
export const SNAPSHOT_BARRIER = { space: 7_262_544, key: 1 } as const;

/** Finalizers queue behind a reader that waits for the lock, so it gives up early, pauses and retries. */
const PATIENCE = { attempts: 5, lockWaitMs: 2_000, restMs: 2_000 };
/** Upper bound on how long finalizers are blocked when a worker does not answer. */
const OPENING_MS_MAX = 5_000;
/** Running commits finish within milliseconds. Those that a crash left behind take longer. */
const COMMIT_WAIT_MS = 500;
const LOOK_EVERY_MS = 25;

const LOCK_NOT_AVAILABLE = "55P03";
const STATEMENT_TOO_LONG = "57014";

/** There was no moment at which every transaction was committed on all of its workers or on none. */
export class SnapshotUnavailableError extends Error {
  override name = "SnapshotUnavailableError";
}

/**
 * Runs a write in a transaction that snapshots see whole.
 * @param inTransaction on a single Postgres, a write of one statement needs no transaction
 */
export async function crossingShards<T>(
  db: Database,
  work: (on: Database) => Promise<T>,
  inTransaction = false,
): Promise<T> {
  const distributed = await isDistributed(db);
  if (!distributed && !inTransaction) return await work(db);
  const { space, key } = SNAPSHOT_BARRIER;
  return (await db.sql.begin(async (tx) => {
    if (distributed) await tx`select pg_advisory_xact_lock_shared(${space}::int, ${key}::int)`;
    return await work(within(db, tx));
  })) as T;
}

/**
 * Runs `read` in a repeatable-read transaction that sees every write of `crossingShards` completely or not at
 * all, and fails where policies hide rows. On Citus it needs a second connection until snapshots are open.
 * @throws SnapshotUnavailableError when ongoing writes prevented it; `read` has not started then
 * @throws DomainError `unavailable` when row-level security hides rows from the role
 */
export async function inOneSnapshot<T>(
  db: Database,
  access: "read only" | "read write",
  readWhole: (tx: TransactionSql) => Promise<T>,
): Promise<T> {
  const read = async (tx: TransactionSql) => {
    await withEveryRow(tx);
    return await readWhole(tx).catch(refuseHiddenRows);
  };
  const mode = `isolation level repeatable read ${access}`;
  if (!(await isDistributed(db))) return (await db.sql.begin(mode, read)) as T;
  for (let attempt = 1; ; attempt++) {
    const opened = await behindBarrier(db, mode, read);
    if (opened) return await opened.result;
    if (attempt >= PATIENCE.attempts)
      throw new SnapshotUnavailableError(
        "Transactions over several workers prevented a consistent snapshot.",
      );
    await sleep(PATIENCE.restMs);
  }
}

function refuseHiddenRows(error: unknown): never {
  if (!isFiltered(error)) throw error;
  throw new DomainError(
    "unavailable",
    "Row-level security hides rows from this role. Connect as the tables' owner, or run " +
      "`alter role … bypassrls` as a superuser.",
    { cause: error },
  );
}

/** Begins the read while no cross-shard write is in progress. Returns null when the wait was too long. */
async function behindBarrier<T>(
  db: Database,
  mode: string,
  read: (tx: TransactionSql) => Promise<T>,
): Promise<{ result: Promise<T> } | null> {
  try {
    return await db.sql.begin(async (barrier) => {
      const { space, key } = SNAPSHOT_BARRIER;
      await askFor(barrier, { lock_timeout: PATIENCE.lockWaitMs, statement_timeout: OPENING_MS_MAX });
      await barrier`select pg_advisory_xact_lock(${space}::int, ${key}::int)`;
      if (!(await everyCommitIsWhole(barrier))) return null;
      return await new Promise<{ result: Promise<T> }>((resolve, reject) => {
        const result = db.sql.begin(mode, async (tx) => {
          await openOnEveryWorker(tx);
          resolve({ result });
          return await read(tx);
        }) as Promise<T>;
        result.catch(reject);
      });
    });
  } catch (error) {
    const code = postgresError(error)?.code;
    if (code === LOCK_NOT_AVAILABLE) return null;
    if (code === STATEMENT_TOO_LONG)
      throw new SnapshotUnavailableError(`A worker did not answer within ${OPENING_MS_MAX} ms.`);
    throw error;
  }
}

/**
 * Citus begins a transaction on a worker with its first statement there. A second connection would have a
 * different snapshot. A check of the ledger adds up partial sums in temporary files, more than Citus' limit
 * of 1 GB at four million batches.
 */
async function openOnEveryWorker(tx: TransactionSql): Promise<void> {
  await askFor(tx, {
    "citus.max_adaptive_executor_pool_size": 1,
    "citus.max_intermediate_result_size": -1,
    statement_timeout: OPENING_MS_MAX,
  });
  await tx`select count(*) from (select 1 from contracts limit 1) as one_of_each_shard`;
  await tx`set local statement_timeout to default`;
}

/** A crash between two workers' commits leaves one prepared until `citus.recover_2pc_interval`. */
async function everyCommitIsWhole(barrier: TransactionSql): Promise<boolean> {
  const before = await preparedOnWorkers(barrier);
  for (let waited = 0; before.size > 0; waited += LOOK_EVERY_MS) {
    if (waited >= COMMIT_WAIT_MS) return false;
    await sleep(LOOK_EVERY_MS);
    const now = await preparedOnWorkers(barrier);
    for (const gid of before) if (!now.has(gid)) before.delete(gid);
  }
  return true;
}

async function preparedOnWorkers(tx: TransactionSql): Promise<Set<string>> {
  const workers = await tx<{ isUp: boolean; result: string }[]>`
    select success as "isUp", result from run_command_on_workers(
      $$select coalesce(string_agg(gid, ','), '')
        from pg_prepared_xacts where database = current_database()$$)`;
  const down = workers.find(({ isUp }) => !isUp);
  if (down) throw new SnapshotUnavailableError(`A worker did not answer: ${down.result}`);
  return new Set(workers.flatMap(({ result }) => result.split(",").filter(Boolean)));
}

/** An advisory lock until the transaction ends. False while another one has it. */
export async function tryLock(
  tx: Sql | TransactionSql,
  { space, key }: { space: number; key: number },
): Promise<boolean> {
  const [lock] = await tx<{ isMine: boolean }[]>`
    select pg_try_advisory_xact_lock(${space}::int, ${key}::int) as "isMine"`;
  return lock!.isMine;
}
