import type { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import type { TransactionSql } from "postgres";
import { z } from "zod";
import type { Database } from "@/db/client";
import { askForSettings, withoutTimeLimits } from "@/db/session-settings";
import { audited } from "@/server/audit/audited";
import type { ServiceContext } from "@/server/kernel/context";
import { readCopy } from "@/server/kernel/read-copy";
import { inOneSnapshot } from "@/server/kernel/shards";
import { unwritable, writeNewFile } from "@/server/kernel/write-new-file";

/** Gzipped lines: a header; per table its name, rows in COPY text format, `\.` and a count; a last line. */
export const BACKUP_FORMAT = "point-transfer-batches backup 1";
export const ROWS_END = "\\.";
const NEWLINE = 0x0a;

export const BackupHead = z.object({
  format: z.string(),
  takenAt: z.string(),
  /** `created_at` of each applied migration, which is its key. */
  migrations: z.array(z.string()).nonempty(),
});
export type BackupHead = z.infer<typeof BackupHead>;

export const TableHead = z.object({ table: z.string(), columns: z.array(z.string()).nonempty() });
export type TableHead = z.infer<typeof TableHead>;

export const BackupEnd = z.object({
  end: z.literal(true),
  tables: z.number(),
  rows: z.number(),
  sequences: z.array(z.object({ name: z.string(), lastValue: z.string() })),
});
export type BackupEnd = z.infer<typeof BackupEnd>;

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

export async function* readLines(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let left: Buffer[] = [];
  for await (const chunk of source) {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
      const part = chunk.subarray(from, at);
      yield left.length > 0 ? Buffer.concat([...left, part]) : part;
      left = [];
      from = at + 1;
    }
    if (from < chunk.length) left.push(chunk.subarray(from));
  }
  if (left.length > 0) yield Buffer.concat(left);
}

export type WrittenBackup = { takenAt: string; tables: number; rows: number };

/** One snapshot, mode 0600. If it fails, no file is left. @throws DomainError, SnapshotUnavailableError */
export const writeBackup = (db: Database, file: string): Promise<WrittenBackup> =>
  writeNewFile(file, (open) => inOneSnapshot(db, "read only", (tx) => dump(tx, open)));

/** To a stream, such as standard output. `restore` refuses what a failed backup left there. */
export async function streamBackup(db: Database, to: Writable): Promise<WrittenBackup> {
  // Standard output does not keep its error.
  let lost: NodeJS.ErrnoException | undefined;
  to.once("error", (error) => {
    lost = error;
  });
  return await inOneSnapshot(db, "read only", (tx) => dump(tx, () => to)).catch((error: unknown) => {
    throw lost ? unwritable(lost, "standard output") : error;
  });
}

/** The file holds password and token hashes, so the audit log has it. Its age is a metric. */
export async function recordBackup(
  ctx: ServiceContext,
  { takenAt, tables, rows }: WrittenBackup,
): Promise<void> {
  const { sql } = ctx.db;
  const detail = sql`${JSON.stringify({ takenAt, tables, rows })}::text::jsonb`;
  const row = audited(ctx, { action: "backup.write", target: "database", detail, of: "taken" });
  await sql`with taken as (select 1), ${row} select 1`;
}

/** @param open called when somebody listens for its errors */
async function dump(tx: TransactionSql, open: () => Writable): Promise<WrittenBackup> {
  await askForSettings(tx);
  await withoutTimeLimits(tx);
  const written: WrittenBackup = { takenAt: "", tables: 0, rows: 0 };
  await pipeline(() => dumpLines(tx, written), createGzip(), open());
  return written;
}

async function* dumpLines(tx: TransactionSql, written: WrittenBackup): AsyncGenerator<string | Buffer> {
  const head = await readHead(tx);
  written.takenAt = head.takenAt;
  yield lineOf(head);
  for (const table of await readTables(tx)) {
    yield lineOf(table);
    const before = written.rows;
    yield* rowsOf(tx, table, written);
    yield `${ROWS_END}\n`;
    yield lineOf({ rows: written.rows - before });
    written.tables++;
  }
  const { tables, rows } = written;
  const sequences = await tx<BackupEnd["sequences"]>`
    select sequencename as name, last_value::text as "lastValue" from pg_sequences
    where schemaname = 'public' and last_value is not null order by 1`;
  yield lineOf({ end: true, tables, rows, sequences } satisfies BackupEnd);
}

const lineOf = (line: object) => `${JSON.stringify(line)}\n`;

async function* rowsOf(
  tx: TransactionSql,
  { table, columns }: TableHead,
  written: WrittenBackup,
): AsyncGenerator<Buffer> {
  const copy = tx.unsafe(`copy public.${quoted(table)} (${columns.map(quoted).join(", ")}) to stdout`);
  for await (const chunk of readCopy(copy)) {
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, at + 1)) written.rows++;
    yield chunk;
  }
}

async function readHead(tx: TransactionSql): Promise<BackupHead> {
  const [row] = await tx<Omit<BackupHead, "format">[]>`
    select to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "takenAt",
      array(select distinct created_at::text from drizzle.__drizzle_migrations order by 1) as migrations`;
  return { format: BACKUP_FORMAT, ...row! };
}

/**
 * All tables but an extension's, unlogged ones, the request log, and sessions and one-time links, which may
 * have ended before the backup is restored.
 */
const readTables = async (tx: TransactionSql): Promise<TableHead[]> =>
  await tx<TableHead[]>`
    select c.relname as table, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      and a.attgenerated = ''
    where c.relkind = 'r' and c.relpersistence = 'p' and c.relnamespace = 'public'::regnamespace
      and c.relname not in ('staff_sessions', 'staff_invitations', 'request_log')
      and not exists (select 1 from pg_depend where objid = c.oid and deptype = 'e')
    group by c.relname order by c.relname`;
