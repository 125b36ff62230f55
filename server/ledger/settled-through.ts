import type { Database } from "@/db/client";

/** Between the start of a transaction and its first lock Postgres needs microseconds. */
const LOCKS_VISIBLE_MS = 100;

/**
 * Whether everything that will ever be finalized, issued or granted at or before this time is committed.
 * These times are when the transaction began, and it may commit long after others that began later. A
 * transaction of that age is awaited unless it only reads: it has locks on tables, but only those of a
 * reader, and waits for none. Ask before opening a snapshot. Otherwise a transaction that commits in between
 * is in neither. One whose start Postgres hides counts as old: of another role, while `track_activities` is
 * off, or prepared for a commit in two phases. An open transaction is known by the lock on its virtual ID.
 */
export async function isSettledThrough({ sql }: Database, at: string): Promise<boolean> {
  const [row] = await sql<{ isSettled: boolean }[]>`
    select clock_timestamp() > ${at}::timestamptz + ${LOCKS_VISIBLE_MS}::int * interval '1 millisecond'
      and not exists (
        select 1 from pg_stat_activity a join (
          -- VACUUM has a writer's lock on indexes alone.
          select pid, bool_and(granted and mode in ('AccessShareLock', 'ShareUpdateExclusiveLock'))
              filter (where relation not in (select oid from pg_class where relkind in ('i', 'I')))
              as only_reads
          from pg_locks group by pid having bool_or(locktype = 'virtualxid')
        ) as l using (pid)
        where a.datname = current_database() and a.pid <> pg_backend_pid()
          and coalesce(a.backend_type, 'client backend') = 'client backend'
          -- Stored times are rounded to milliseconds.
          and (coalesce(a.state, 'disabled') = 'disabled'
            or a.xact_start <= ${at}::timestamptz + interval '1 millisecond')
          and l.only_reads is not true
      )
      and not exists (
        select 1 from pg_prepared_xacts where database = current_database()
      ) as "isSettled"`;
  return row!.isSettled;
}
