/**
 * A backup is gzip of lines: one that says what it is, then for each table one that names it, its rows as Postgres' COPY
 * writes them, `\.`, and their number; at last one that says that it is whole.
 */
export const BACKUP_FORMAT = "point-transfer-batches backup 1";
export const ROWS_END = "\\.";

export interface BackupHead {
  format: string;
  /** RFC 3339, by the database's clock: the snapshot that was read. */
  takenAt: string;
  /** `created_at` of each migration that the database had, which is its key. */
  migrations: string[];
}

export interface TableHead {
  table: string;
  columns: string[];
}

export interface BackupEnd {
  end: true;
  tables: number;
  rows: number;
  sequences: { name: string; lastValue: string }[];
}

/** A name as SQL writes it. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
