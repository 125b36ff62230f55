import type { ServiceContext } from "../kernel/context";

export interface DatabaseSizes {
  version: string;
  /** Bytes and rows as decimal strings. */
  bytes: string;
  tables: { name: string; bytes: string; rowsEstimate: string }[];
}

/** The database's size on disk and the planner's row estimates. Counts nothing. */
export async function readSizes({ db: { sql } }: ServiceContext): Promise<DatabaseSizes> {
  const [[whole], tables] = await Promise.all([
    sql<Omit<DatabaseSizes, "tables">[]>`
      select current_setting('server_version') as version, pg_database_size(current_database())::text as bytes`,
    sql<DatabaseSizes["tables"]>`
      select relname as name, pg_total_relation_size(oid)::text as bytes,
        greatest(0, reltuples)::bigint::text as "rowsEstimate"
      from pg_class
      where oid = any(array['batches', 'batch_transfers', 'recipient_transfers', 'accounts', 'audit_log']::regclass[])
      order by pg_total_relation_size(oid) desc`,
  ]);
  return { ...whole!, tables: [...tables] };
}
