import { once } from "node:events";
import { createWriteStream, existsSync } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { finished } from "node:stream/promises";
import { createGzip, type Gzip } from "node:zlib";
import type { TransactionSql } from "postgres";
import type { Database } from "@/db/client";
import { inOneSnapshot } from "../kernel/shards/snapshot-barrier";
import { DomainError } from "../kernel/values/problems";
import { BACKUP_FORMAT, type BackupEnd, type BackupHead, quoted, ROWS_END, type TableHead } from "./format";

export interface WrittenBackup {
  takenAt: string;
  tables: number;
  rows: number;
}

const NEWLINE = 0x0a;

/**
 * Writes one snapshot of the database to a new file with mode 0600. The service keeps running.
 * @throws DomainError when the file already exists; SnapshotUnavailableError
 */
export async function writeBackup(db: Database, file: string): Promise<WrittenBackup> {
  if (existsSync(file))
    throw new DomainError("validation_failed", `${file} already exists. Choose another file name.`);
  const draft = `${file}.${process.pid}.draft`;
  try {
    const written = await inOneSnapshot(db, "read only", (tx) => dump(tx, draft));
    await syncToDisk(draft);
    await rename(draft, file);
    return written;
  } finally {
    await rm(draft, { force: true });
  }
}

async function dump(tx: TransactionSql, draft: string): Promise<WrittenBackup> {
  await tx`select set_config('statement_timeout', '0', true)`;
  const gzip = createGzip();
  const target = createWriteStream(draft, { mode: 0o600, flags: "wx" });
  const written = finished(gzip.pipe(target));
  // Writing the rows reports a full disk. This only prevents an unhandled rejection.
  written.catch(() => undefined);
  target.once("error", (error) => gzip.destroy(error));
  const head = await readHead(tx);
  await writeLine(gzip, head);
  let rows = 0;
  const tables = await readTables(tx);
  for (const table of tables) {
    await writeLine(gzip, table);
    const count = await writeRows(tx, table, gzip);
    await writeLine(gzip, { rows: count });
    rows += count;
  }
  const end: BackupEnd = { end: true, tables: tables.length, rows, sequences: await readSequences(tx) };
  await writeLine(gzip, end);
  gzip.end();
  await written;
  return { takenAt: head.takenAt, tables: tables.length, rows };
}

async function writeRows(tx: TransactionSql, { table, columns }: TableHead, gzip: Gzip): Promise<number> {
  let rows = 0;
  const source = await tx
    .unsafe(`copy public.${quoted(table)} (${columns.map(quoted).join(", ")}) to stdout`)
    .readable();
  for await (const chunk of source as AsyncIterable<Buffer>) {
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, at + 1)) rows++;
    if (!gzip.write(chunk)) await once(gzip, "drain");
  }
  if (!gzip.write(`${ROWS_END}\n`)) await once(gzip, "drain");
  return rows;
}

async function writeLine(gzip: Gzip, line: object): Promise<void> {
  if (!gzip.write(`${JSON.stringify(line)}\n`)) await once(gzip, "drain");
}

async function readHead(tx: TransactionSql): Promise<BackupHead> {
  const [row] = await tx<{ takenAt: string; migrations: string[] }[]>`
    select to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "takenAt",
      array(select distinct created_at::text from drizzle.__drizzle_migrations order by 1) as migrations`;
  return { format: BACKUP_FORMAT, ...row! };
}

/**
 * All tables except unlogged ones, which only count the requests of the current minute, and those of sessions and one-time
 * links, which may have been ended or used before the backup is restored.
 */
async function readTables(tx: TransactionSql): Promise<TableHead[]> {
  return await tx<TableHead[]>`
    select c.relname as table, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relkind = 'r' and c.relpersistence = 'p' and c.relnamespace = 'public'::regnamespace
      and c.relname not in ('staff_sessions', 'staff_invitations')
    group by c.relname order by c.relname`;
}

async function readSequences(tx: TransactionSql): Promise<BackupEnd["sequences"]> {
  return await tx<BackupEnd["sequences"]>`
    select sequencename as name, last_value::text as "lastValue" from pg_sequences
    where schemaname = 'public' and last_value is not null order by 1`;
}

async function syncToDisk(file: string): Promise<void> {
  const handle = await open(file, "r+");
  await handle.sync();
  await handle.close();
}
