import type { Database } from "@/db/client";
import { isDistributed } from "@/server/kernel/shards";

/**
 * Whether a session of this database, or the one with this pid, waits for another transaction's lock; on Citus on any node.
 */
export async function waitsForLock(db: Pick<Database, "sql">, pid?: number): Promise<boolean> {
  const { sql } = db;
  const rows = (await isDistributed(db))
    ? await sql`
        select 1 from citus_stat_activity where datname = current_database() and wait_event_type = 'Lock'
          ${pid === undefined ? sql`` : sql`and global_pid = citus_calculate_gpid(citus_coordinator_nodeid(), ${pid}::int)`}`
    : await sql`
        select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
          and state = 'active' ${pid === undefined ? sql`` : sql`and pid = ${pid}::int`}`;
  return rows.length > 0;
}

export async function untilBlocked(db: Pick<Database, "sql">): Promise<void> {
  while (!(await waitsForLock(db))) await new Promise((resolve) => setTimeout(resolve, 5));
}
