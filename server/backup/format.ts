/**
 * A backup is gzipped lines: a header, then for each table its name, its rows in COPY text format, `\.` and the row
 * count. The last line marks the backup as complete.
 */
export const BACKUP_FORMAT = "point-transfer-batches backup 1";
export const ROWS_END = "\\.";

export interface BackupHead {
  format: string;
  /** Time of the snapshot, RFC 3339, by the database's clock. */
  takenAt: string;
  /** `created_at` of each applied migration, which is its key. */
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

/** A quoted SQL identifier. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
