/**
 * A backup is gzipped lines: a header, then for each table its name, its rows in COPY text format, `\.` and the row
 * count. The last line marks the backup as complete.
 */
export const BACKUP_FORMAT = "point-transfer-batches backup 1";
export const ROWS_END = "\\.";

export interface BackupHead {
  format: string;
  takenAt: string;
  /** `created_at` of each applied migration, which is its key. */
  migrations: string[];
}

export type TableHead = { table: string; columns: string[] };

export interface BackupEnd {
  end: true;
  tables: number;
  rows: number;
  sequences: { name: string; lastValue: string }[];
}

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

const NEWLINE = 0x0a;

/** Splits a byte stream into lines without their newlines. The last line needs no newline. */
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
