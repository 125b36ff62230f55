import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { drizzle } from "drizzle-orm/postgres-js";
import { migrate } from "drizzle-orm/postgres-js/migrator";
import type { Sql, TransactionSql } from "postgres";
import postgres from "postgres";
import { connectionOptions } from "./client";
import { askFor, askForSettings } from "./session-settings";

// An arbitrary number, the same for every migrator of this service.
const MIGRATION_LOCK = 7_262_541_903;
const MIGRATION_SECONDS_MAX = 600;
/** Statements queue behind a migration that waits for a lock, so it lets them pass soon, and retries. */
const TABLE_LOCK_SECONDS_MAX = 2;
const TABLE_LOCK_TRIES = 20;
const BETWEEN_TRIES_MS = 1000;
const LOCK_NOT_AVAILABLE = "55P03";

interface Journal {
  entries: { when: number; tag: string }[];
}

/** Each migration's time, which drizzle uses as its key in the database. */
function readMigrationTimes(folder: string): number[] {
  const journal = JSON.parse(readFileSync(path.join(folder, "meta", "_journal.json"), "utf8")) as Journal;
  return journal.entries.map(({ when }) => when);
}

/** The time of the newest migration, in milliseconds. */
export const newestMigration = (folder = defaultFolder()): number => Math.max(...readMigrationTimes(folder));

// A function, because the bundle may be loaded before the host has changed the working directory.
const defaultFolder = () => path.join(process.cwd(), "db", "migrations");

let timesOfThisVersion: number[] | undefined;

/** Drizzle's session calls `begin` on its client, which here is a savepoint under the lock. */
function insideTransaction(pool: Sql, transaction: TransactionSql): Sql {
  return Object.assign(transaction, {
    options: pool.options,
    begin: (work: (nested: TransactionSql) => Promise<unknown>) => transaction.savepoint(work),
  }) as unknown as Sql;
}

/** A migration cannot be applied, and nothing was changed. The message says why and what to do. */
export class MigrationBlockedError extends Error {
  override name = "MigrationBlockedError";
}

interface MigrateOptions {
  url: string;
  timeoutSeconds: number;
  migrationsFolder?: string;
  /** Max attempts when a table is locked. */
  tableLockTries?: number;
}

/**
 * Applies the missing migrations, all or nothing. Safe for concurrent processes, even behind a
 * transaction-mode pooler: a transaction-level advisory lock lets one work while the others wait.
 * @throws Postgres error 55P03 after `timeoutSeconds` of another migrator; MigrationBlockedError
 */
export async function migrateDatabase(options: MigrateOptions): Promise<{ applied: number }> {
  const migrationsFolder = options.migrationsFolder ?? defaultFolder();
  const triesMax = options.tableLockTries ?? TABLE_LOCK_TRIES;
  // Migrations may run longer than the service's queries, so they have their own timeout.
  const sql = postgres(
    connectionOptions({
      ...options,
      poolMax: 1,
      pooler: "transaction",
      statementSecondsMax: MIGRATION_SECONDS_MAX,
    }),
  );
  try {
    for (let tries = 1; ; tries++) {
      const applied = await migrateOnce(sql, migrationsFolder, options.timeoutSeconds);
      if (applied !== "table locked") return { applied };
      if (tries === triesMax)
        throw new MigrationBlockedError(
          `Another transaction kept a table locked (attempts: ${tries}). Nothing was changed. ` +
            "End that transaction (see pg_stat_activity), then migrate again.",
        );
      await sleep(BETWEEN_TRIES_MS);
    }
  } finally {
    await sql.end({ timeout: 5 });
  }
}

async function migrateOnce(
  sql: Sql,
  migrationsFolder: string,
  timeoutSeconds: number,
): Promise<number | "table locked"> {
  let isMigrating = false;
  let others: string[] = [];
  try {
    // Each statement must see what another migrator did while this one waited.
    return await sql.begin("isolation level read committed", async (transaction) => {
      await askForSettings(transaction);
      await askFor(transaction, {
        lock_timeout: `${timeoutSeconds}s`,
        statement_timeout: `${MIGRATION_SECONDS_MAX}s`,
        idle_in_transaction_session_timeout: `${timeoutSeconds}s`,
        transaction_timeout: "0",
      });
      await transaction`select pg_advisory_xact_lock(${MIGRATION_LOCK}::bigint)`;
      await transaction`select set_config('lock_timeout', ${`${TABLE_LOCK_SECONDS_MAX}s`}, true)`;
      const whens = readMigrationTimes(migrationsFolder);
      const before = await countApplied(transaction, whens);
      // A role that may not change the schema can still start if it is current.
      if (before === whens.length) return 0;
      await refuseOtherEncoding(transaction);
      isMigrating = true;
      if (before === 0) others = await otherTables(transaction);
      await migrate(drizzle(insideTransaction(sql, transaction)), { migrationsFolder });
      await refuseHalfBuiltIndex(transaction);
      return (await countApplied(transaction, whens)) - before;
    });
  } catch (error) {
    if (!isMigrating) throw error;
    if (isLockError(error)) return "table locked";
    throw refusedByStatement(error, others) ?? error;
  }
}

export const ENCODING = "UTF8";
const CREATE_IT = `create a database with \`encoding '${ENCODING}' template template0\``;
const RESTORE_INTO_IT = `${CREATE_IT}, and restore a backup into it`;
export const NEEDS_ENCODING = `names and metadata need ${ENCODING}: ${RESTORE_INTO_IT}`;

/** Another encoding lacks most letters, and a batch with one of them would fail. */
async function refuseOtherEncoding(sql: TransactionSql): Promise<void> {
  const [row] = await sql<{ encoding: string }[]>`select current_setting('server_encoding') as encoding`;
  if (row!.encoding !== ENCODING)
    throw new MigrationBlockedError(
      `The database has the encoding ${row!.encoding}, and ${NEEDS_ENCODING}. Nothing was changed.`,
    );
}

/** An interrupted `create index concurrently` leaves an invalid index, which no query uses. */
async function refuseHalfBuiltIndex(sql: TransactionSql): Promise<void> {
  const [half] = await sql<{ name: string }[]>`
    select indexrelid::regclass::text as name from pg_index join pg_class on pg_class.oid = indrelid
    where not indisvalid and relnamespace = 'public'::regnamespace limit 1`;
  if (half)
    throw new MigrationBlockedError(
      `The index ${half.name} is invalid. Nothing was changed. Drop the index, then migrate again.`,
    );
}

/** Drizzle wraps the driver's errors in one that only has the statement. */
function statementError(error: unknown): (Error & { code: string }) | undefined {
  for (let at = error; at instanceof Error; at = at.cause)
    if (at.name === "PostgresError") return at as Error & { code: string };
  return undefined;
}

const isLockError = (error: unknown) => statementError(error)?.code === LOCK_NOT_AVAILABLE;

/** Something of that name exists: a table, a column, an object, a function or a schema. */
const EXISTS = /^42(?:P07|701|710|723|P06)$/;
/** Errors of a statement or of the rows it met. Others have a reason outside the migration. */
const OF_THE_STATEMENT = /^(?:0A|2[12]|23|42(?!501))/;

function refusedByStatement(error: unknown, others: readonly string[]): MigrationBlockedError | undefined {
  const cause = statementError(error);
  if (!cause || !OF_THE_STATEMENT.test(cause.code)) return undefined;
  const said = cause.message.replace(/\.$/, "");
  const message =
    EXISTS.test(cause.code) && others.length > 0
      ? `The database holds other tables (${someOf(others)}): ${said}. ` +
        "Nothing was changed. Use an empty database."
      : `A migration failed: ${said}. ` +
        "Nothing was changed. Restore what was changed by hand, then migrate again.";
  return new MigrationBlockedError(message, { cause: error });
}

const NAMED_MAX = 3;

export const someOf = (names: readonly string[], most = NAMED_MAX): string =>
  names.length > most
    ? `${names.slice(0, most).join(", ")} and ${names.length - most} more`
    : names.join(", ");

/** For a database without any of the migrations. */
export const otherTables = (sql: Sql | TransactionSql) => publicTables(sql, ["r", "p", "v", "m"]);

/** In the schema `public`. An extension's, such as `spatial_ref_sys`, have rows from the start. */
export async function publicTables(sql: Sql | TransactionSql, kinds: readonly string[]): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select relname::text as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind = any(${kinds}::text[]::"char"[])
      and not exists (select 1 from pg_depend where objid = pg_class.oid and deptype = 'e')
    order by 1`;
  return rows.map(({ name }) => name);
}

async function countApplied(sql: Sql | TransactionSql, whens: number[]): Promise<number> {
  const [found] = await sql<{ present: boolean }[]>`
    select to_regclass('drizzle.__drizzle_migrations') is not null as present`;
  if (!found?.present) return 0;
  const [row] = await sql<{ applied: number }[]>`
    select count(distinct created_at)::int as applied from drizzle.__drizzle_migrations
    where created_at = any(${whens.map(String)}::text[]::bigint[])`;
  return row?.applied ?? 0;
}

/**
 * Compares the database with this version's migrations: `expected` is their number, `applied` how many of
 * them the database has. A database that also has later migrations is current, so that old processes keep
 * running during a rolling deploy.
 * @throws database errors when it is down
 */
export async function schemaIsCurrent(
  sql: Sql,
  migrationsFolder?: string,
): Promise<{ current: boolean; expected: number; applied: number }> {
  timesOfThisVersion ??= readMigrationTimes(defaultFolder());
  const whens = migrationsFolder ? readMigrationTimes(migrationsFolder) : timesOfThisVersion;
  const applied = await countApplied(sql, whens);
  return { current: applied === whens.length, expected: whens.length, applied };
}

/**
 * A folder with only the first migrations, for a database of an earlier version. Call `remove` later.
 * @param whens the times of exactly those migrations
 * @param from the folder with all migrations
 * @returns null when these are not the first migrations in that folder
 */
export function migrationsUpTo(
  whens: readonly string[],
  from = defaultFolder(),
): { path: string; remove(): void } | null {
  const journal = JSON.parse(readFileSync(path.join(from, "meta", "_journal.json"), "utf8")) as Journal;
  const entries = journal.entries.slice(0, whens.length);
  const wanted = new Set(whens);
  if (entries.length !== wanted.size || !entries.every(({ when }) => wanted.has(String(when)))) return null;
  const to = mkdtempSync(path.join(tmpdir(), "migrations-"));
  mkdirSync(path.join(to, "meta"));
  writeFileSync(path.join(to, "meta", "_journal.json"), JSON.stringify({ ...journal, entries }));
  for (const { tag } of entries) copyFileSync(path.join(from, `${tag}.sql`), path.join(to, `${tag}.sql`));
  return { path: to, remove: () => rmSync(to, { recursive: true, force: true }) };
}
