import { once } from "node:events";
import { createReadStream } from "node:fs";
import { Writable } from "node:stream";
import { finished } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import type { Sql, TransactionSql } from "postgres";
import { z } from "zod";
import type { Database } from "@/db/client";
import { migrateDatabase, migrationsUpTo, newestMigration, publicTables } from "@/db/migrate";
import { askForSettings, withoutTimeLimits } from "@/db/session-settings";
import { postgresError } from "@/server/kernel/database-errors";
import { invalid } from "@/server/kernel/to-domain-error";
import type { DomainError } from "@/terms/problems";
import { BACKUP_FORMAT, BackupEnd, BackupHead, quoted, ROWS_END, readLines, TableHead } from "./write-backup";

type Target = Parameters<typeof migrateDatabase>[0] & { db: Database };

const CHUNK_BYTES = 65_536;
const NEWLINE = Buffer.from("\n");
const ROWS_END_LINE = Buffer.from(ROWS_END);
/** For the rows of a table that somebody added to the database by hand. */
const nowhere = () => new Writable({ write: (_chunk, _encoding, done) => done() });

/** Into an empty database, all or nothing, and migrates it to this version's schema. @throws DomainError */
export async function restoreBackup(target: Target, file: string) {
  const { db, ...migrating } = target;
  const lines = unzippedLines(file);
  const head = await readHead(lines);
  const folder = migrationsUpTo(head.migrations, target.migrationsFolder);
  if (!folder) throw ofAnotherVersion(head.migrations, target.migrationsFolder);
  try {
    await requireEmptyTables(db.sql, await readTables(db.sql));
    await migrateDatabase({ ...migrating, migrationsFolder: folder.path });
    await requireSchemaOf(db, head.migrations);
    const end = await db.sql.begin((tx) => load(tx, lines));
    // The migrations that are newer than the backup.
    const { applied } = await migrateDatabase(migrating);
    const { tables, rows, leftOut } = end;
    return { takenAt: head.takenAt, tables, rows, leftOut, migrated: applied };
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
      : "This backup was made by a version before the first release, whose tables this version does not " +
          "know. Restore it with that version.",
  );
const damaged = () =>
  invalid("The backup is cut off or damaged. Nothing was restored. Use another backup file.");

async function* unzippedLines(file: string): AsyncGenerator<Buffer> {
  const gunzip = createGunzip();
  const source = createReadStream(file);
  source.once("error", (error) => gunzip.destroy(error));
  try {
    yield* readLines(source.pipe(gunzip));
  } catch (cause) {
    const { code, syscall } = cause as NodeJS.ErrnoException;
    throw syscall ? invalid(`Cannot read ${file} (${code}).`) : damaged();
  } finally {
    source.destroy();
  }
}

async function nextLine<T>(lines: AsyncGenerator<Buffer>, schema: z.ZodType<T>): Promise<T> {
  const { value, done } = await lines.next();
  if (done) throw damaged();
  try {
    return schema.parse(JSON.parse(value.toString("utf8")));
  } catch {
    throw damaged();
  }
}

async function readHead(lines: AsyncGenerator<Buffer>): Promise<BackupHead> {
  const { format, ...rest } = await nextLine(lines, z.looseObject({ format: z.string() }));
  if (format !== BACKUP_FORMAT) throw invalid("This file is not a backup that this version can read.");
  const head = BackupHead.safeParse({ format, ...rest });
  if (!head.success) throw damaged();
  return head.data;
}

/** The service's tables. */
const readTables = (sql: Sql | TransactionSql) => publicTables(sql, ["r"]);

/** It has one row even in an empty database. */
const PROGRESS = "recipient_progress";

async function requireEmptyTables(sql: Sql | TransactionSql, tables: readonly string[]): Promise<void> {
  for (const name of tables) {
    if (name === PROGRESS) continue;
    const rows = await sql.unsafe(`select 1 from public.${quoted(name)} limit 1`);
    if (rows.length > 0)
      throw invalid(
        `The database already contains rows (${name}). Nothing was restored. ` +
          "Restore into an empty database that no process of the service uses yet.",
      );
  }
}

async function requireSchemaOf({ sql }: Database, migrations: string[]): Promise<void> {
  const [row] = await sql<{ applied: number }[]>`
    select count(distinct created_at)::int as applied from drizzle.__drizzle_migrations`;
  if (row!.applied !== migrations.length)
    throw invalid("The database has the tables of another version. Restore into a database without tables.");
}

type Loaded = BackupEnd & { leftOut: string[] };

async function load(tx: TransactionSql, lines: AsyncGenerator<Buffer>): Promise<Loaded> {
  await askForSettings(tx);
  await withoutTimeLimits(tx);
  // An earlier version wrote dates in the style of its database. This order refuses 5/12/2026.
  await tx`set local DateStyle = 'ISO, YMD'`;
  const known = await readTables(tx);
  // A process that waited for the tables may have written to them since, and its rows must not be lost.
  await tx.unsafe(`lock table ${known.map((name) => `public.${quoted(name)}`).join(", ")} in exclusive mode`);
  await requireEmptyTables(tx, known);
  await tx.unsafe(`delete from public.${PROGRESS}`);
  const constraints = await dropConstraints(tx);
  const leftOut: string[] = [];
  let rows = 0;
  for (let tables = 0; ; tables++) {
    const head = await nextLine(lines, TableHead.or(BackupEnd));
    if ("end" in head) {
      if (head.tables !== tables || head.rows !== rows) throw damaged();
      // The checksum is behind the last line. Nothing else is.
      for await (const _ of lines) throw damaged();
      await addConstraints(tx, constraints);
      await requireOwnRows(tx);
      for (const { name, lastValue } of head.sequences)
        await tx`select setval(to_regclass(${`public.${quoted(name)}`}), ${lastValue}::bigint)`;
      return { ...head, leftOut };
    }
    const isKnown = known.includes(head.table);
    if (!isKnown) leftOut.push(head.table);
    rows += isKnown ? await loadTable(tx, head, lines) : await copyRows(lines, nowhere());
  }
}

/** Earlier versions left out, without an error, what policies hid from the role that made the backup. */
async function requireOwnRows(tx: TransactionSql): Promise<void> {
  const lacking = await tx<{ table: string }[]>`
    select ${PROGRESS}::text as table where not exists (select 1 from recipient_progress)
    union all select 'contracts'
      where exists (select contract_address from batches except select address from contracts)
    union all select 'audit_log'
      where exists (select 1 from contracts) and not exists (select 1 from audit_log)`;
  if (lacking.length > 0)
    throw invalid(
      `The backup lacks rows of ${lacking.map(({ table }) => table).join(", ")}, which row-level ` +
        "security may have hidden from the role that made it. Nothing was restored. " +
        "Use a backup that the tables' owner made.",
    );
}

interface Constraint {
  table: string;
  name: string;
  definition: string;
}

/**
 * Files list tables by name, so a row may come before the one that it refers to, and rows older than a NOT
 * VALID check may break it. These constraints are therefore dropped in the restore's transaction and added
 * once all rows are there, as `pg_restore` does. This works for any order of tables and for circular keys,
 * keeps the file a stream, and only the tables' owner may do it, who need not be a superuser. Deferring the
 * keys is not possible everywhere: Citus supports no ALTER CONSTRAINT. It drops one key per statement.
 */
async function dropConstraints(tx: TransactionSql): Promise<Constraint[]> {
  const constraints = await tx<Constraint[]>`
    select relname::text as table, conname::text as name,
      pg_get_constraintdef(pg_constraint.oid) as definition
    from pg_constraint join pg_class on pg_class.oid = conrelid
    where (contype = 'f' or not convalidated) and relnamespace = 'public'::regnamespace order by 1, 2`;
  for (const { table, name } of constraints)
    await tx.unsafe(`alter table public.${quoted(table)} drop constraint ${quoted(name)}`);
  return constraints;
}

async function addConstraints(tx: TransactionSql, constraints: readonly Constraint[]): Promise<void> {
  for (const { table, name, definition } of constraints) {
    const added = tx.unsafe(
      `alter table public.${quoted(table)} add constraint ${quoted(name)} ${definition}`,
    );
    await added.catch((error: unknown) => {
      throw wrongRows(error, table, definition) ?? error;
    });
  }
}

/** Values that do not fit their columns, rows that break a constraint. Other errors are not the file's. */
const OF_THE_ROWS = /^2[23]/;
const UNDEFINED_COLUMN = "42703";

function wrongRows(error: unknown, table: string, definition?: string): DomainError | undefined {
  const { code = "", constraint } = postgresError(error) ?? {};
  if (code === UNDEFINED_COLUMN)
    return invalid(
      `The backup has a column of ${table} that this version's table does not have. Nothing was restored. ` +
        "Run `npm run -s ops -- migrate`, add the column, then restore again.",
      { cause: error },
    );
  if (!OF_THE_ROWS.test(code)) return undefined;
  const broken = [constraint, definition].filter(Boolean).join(": ") || `SQLSTATE ${code}`;
  return invalid(
    `The backup has a row of ${table} that cannot be stored (${broken}). Nothing was restored. ` +
      "Use another backup, or fix the row in the original database and make a new backup.",
    { cause: error },
  );
}

async function loadTable(
  tx: TransactionSql,
  { table, columns }: TableHead,
  lines: AsyncGenerator<Buffer>,
): Promise<number> {
  let target: Writable | undefined;
  try {
    const copy = tx.unsafe(`copy public.${quoted(table)} (${columns.map(quoted).join(", ")}) from stdin`);
    target = await copy.writable();
    target.on("error", () => undefined);
    return await copyRows(lines, target);
  } catch (error) {
    target?.destroy(error as Error);
    const wrong = wrongRows(error, table);
    // The row may be wrong because the file is damaged.
    if (wrong) for await (const _ of lines);
    throw wrong ?? error;
  }
}

async function copyRows(lines: AsyncGenerator<Buffer>, target: Writable): Promise<number> {
  let rows = 0;
  let parts: Buffer[] = [];
  let bytes = 0;
  for (;;) {
    const { value: line, done } = await lines.next();
    if (done) throw damaged();
    if (line.equals(ROWS_END_LINE)) break;
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
  await finished(target);
  const end = await nextLine(lines, z.object({ rows: z.number() }));
  if (end.rows !== rows) throw damaged();
  return rows;
}

async function write(target: Writable, bytes: Buffer): Promise<void> {
  if (target.errored) throw target.errored;
  if (!target.write(bytes)) await once(target, "drain");
}
