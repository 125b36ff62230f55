import type { Database } from "@/db/client";

/** Until a statement on this database waits for another transaction's lock. */
export async function untilOneWaits({ sql }: Database): Promise<void> {
  const waiting = () => sql`
    select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  while ((await waiting()).length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
}
