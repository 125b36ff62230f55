import { once } from "node:events";
import { createReadStream } from "node:fs";
import type { Writable } from "node:stream";
import { createGunzip } from "node:zlib";
import type { TransactionSql } from "postgres";
import type { Database } from "@/db/client";
import { migrateDatabase, migrationsUpTo, newestMigration } from "@/db/migrate";
import { askForSettings } from "@/db/session-settings";
import { postgresError } from "../kernel/database-errors";
import { invalid } from "../kernel/to-domain-error";
import {
  BACKUP_FORMAT,
  type BackupEnd,
  type BackupHead,
  quoted,
  ROWS_END,
  readLines,
  type TableHead,
} from "./write-backup";

interface Target {
  db: Database;
  url: string;
  timeoutSeconds: number;
  /** Defaults to this version's migrations. */
  migrationsFolder?: string;
}

const CHUNK_BYTES = 65_536;
const NEWLINE = Buffer.from("\n");

/** Into an empty database, all or nothing, and migrates it to this version's schema. @throws DomainError */
export async function restoreBackup(target: Target, file: string) {
  const { db, ...migrating } = target;
  const lines = linesOf(file);
  const head = await readHead(lines);
  const folder = migrationsUpTo(head.migrations, target.migrationsFolder);
  if (!folder) throw ofAnotherVersion(head.migrations, target.migrationsFolder);
  try {
    await requireEmptyDatabase(db);
    await migrateDatabase({ ...migrating, migrationsFolder: folder.path });
    await requireSchemaOf(db, head.migrations);
    const end = await db.sql.begin((tx) => load(tx, lines));
    // The migrations that are newer than the backup.
    const { applied } = await migrateDatabase(migrating);
    return { takenAt: head.takenAt, tables: end.tables, rows: end.rows, migrated: applied };
  } finally {
    folder.remove();
    await lines.return(undefined);
  }
}

/** Migrations are named by their time. */
const ofAnotherVersion = (migrations: readonly string[], folder?: string) =>
  invalid(
    migrations.some((time) => Number(time) > newestMigration(folder))
      ? "This backup was made by a newer version of the service. Restore it with that version."
      : "This backup was made by a version before the first release, whose tables this version does not know. Restore it with that version.",
  );
const damaged = () =>
  invalid("The backup is cut off or damaged. Nothing was restored. Use another backup file.");

async function* linesOf(file: string): AsyncGenerator<Buffer> {
  const gunzip = createGunzip();
  const source = createReadStream(file);
  source.once("error", (error) => gunzip.destroy(error));
  try {
    yield* readLines(source.pipe(gunzip));
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "EACCES") throw invalid(`Cannot read ${file} (${code}).`);
    throw damaged();
  } finally {
    source.destroy();
  }
}

async function nextLine<T>(lines: AsyncGenerator<Buffer>): Promise<T> {
  const { value, done } = await lines.next();
  if (done) throw damaged();
  try {
    return JSON.parse(value.toString("utf8")) as T;
  } catch {
    throw damaged();
  }
}

async function readHead(lines: AsyncGenerator<Buffer>): Promise<BackupHead> {
  const head = await nextLine<BackupHead>(lines);
  if (head.format !== BACKUP_FORMAT) throw invalid("This file is not a backup that this version can read.");
  return head;
}

/** `recipient_progress` is left out: it has one row even in an empty database. */
async function requireEmptyDatabase({ sql }: Database): Promise<void> {
  const tables = await sql<{ name: string }[]>`
    select relname as name from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace and relname <> 'recipient_progress'`;
  for (const { name } of tables) {
    const rows = await sql.unsafe(`select 1 from public.${quoted(name)} limit 1`);
    if (rows.length > 0)
      throw invalid(
        `The database already contains rows (${name}). Restore into an empty database, before the service's first start.`,
      );
  }
}

async function requireSchemaOf({ sql }: Database, migrations: string[]): Promise<void> {
  const [row] = await sql<{ applied: number }[]>`
    select count(distinct created_at)::int as applied from drizzle.__drizzle_migrations`;
  if (row!.applied !== migrations.length)
    throw invalid("The database has the tables of another version. Restore into a database without tables.");
}

async function load(tx: TransactionSql, lines: AsyncGenerator<Buffer>): Promise<BackupEnd> {
  await askForSettings(tx);
  // An earlier version wrote dates in the style of its database. In this order Postgres refuses 5/12/2026,
  // instead of reading another day.
  await tx`select set_config('statement_timeout', '0', true), set_config('DateStyle', 'ISO, YMD', true)`;
  let rows = 0;
  for (let tables = 0; ; tables++) {
    const head = await nextLine<TableHead | BackupEnd>(lines);
    if (!("end" in head)) {
      rows += await loadTable(tx, head, lines);
      continue;
    }
    if (head.tables !== tables || head.rows !== rows) throw damaged();
    for (const { name, lastValue } of head.sequences)
      await tx`select setval(${`public.${quoted(name)}`}::regclass, ${lastValue}::bigint)`;
    return head;
  }
}

async function loadTable(
  tx: TransactionSql,
  { table, columns }: TableHead,
  lines: AsyncGenerator<Buffer>,
): Promise<number> {
  // Only `recipient_progress` has a row to replace. A table that a foreign key refers to cannot be truncated by itself.
  await tx.unsafe(`delete from public.${quoted(table)}`);
  const target = await tx
    .unsafe(`copy public.${quoted(table)} (${columns.map(quoted).join(", ")}) from stdin`)
    .writable();
  const errors: Error[] = [];
  target.on("error", (error) => errors.push(error));
  const ended = whenEnded(target);
  try {
    const rows = await copyRows(lines, target);
    await ended;
    // The driver drops an error that arrives after COPY has ended. The next statement then fails instead.
    await tx`select 1`;
    const end = await nextLine<{ rows: number }>(lines);
    if (end.rows !== rows) throw damaged();
    return rows;
  } catch (error) {
    target.destroy(error as Error);
    const isRefused = errors.length > 0 || postgresError(error) !== undefined;
    throw isRefused ? invalid(`Postgres rejected a row of ${table}. Nothing was restored.`) : error;
  }
}

/** Resolves once the end of COPY was sent. Until then the connection cannot run another statement. */
const whenEnded = (target: Writable): Promise<void> =>
  new Promise((resolve) => {
    const final = target._final.bind(target);
    target._final = (done) => {
      final(done);
      resolve();
    };
  });

async function copyRows(lines: AsyncGenerator<Buffer>, target: Writable): Promise<number> {
  let rows = 0;
  let parts: Buffer[] = [];
  let bytes = 0;
  for (;;) {
    const { value: line, done } = await lines.next();
    if (done) throw damaged();
    if (line.length === ROWS_END.length && line.toString() === ROWS_END) break;
    parts.push(line, NEWLINE);
    bytes += line.length + 1;
    rows++;
    if (bytes >= CHUNK_BYTES) {
      await write(target, Buffer.concat(parts));
      parts = [];
      bytes = 0;
    }
  }
  if (bytes > 0) await write(target, Buffer.concat(parts));
  target.end();
  return rows;
}

async function write(target: Writable, bytes: Buffer): Promise<void> {
  if (target.errored) throw target.errored;
  if (!target.write(bytes)) await once(target, "drain");
}
