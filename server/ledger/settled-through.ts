import type { Database } from "@/db/client";

/** Between the start of a transaction and its first lock Postgres needs microseconds. */
const LOCKS_VISIBLE_MS = 100;

/**
 * Whether everything that will ever be finalized, issued or granted at or before this time is committed.
 * These times are when the transaction began, and it may commit long after others that began later. A
 * transaction of that age is awaited unless it only reads: it has locks, but only those of a reader. Ask
 * before opening a snapshot. Otherwise a transaction that commits in between is in neither. One whose start
 * Postgres hides counts as old: of another role, or while `track_activities` is off.
 */
export async function isSettledThrough({ sql }: Database, at: string): Promise<boolean> {
  const [row] = await sql<{ isSettled: boolean }[]>`
    select clock_timestamp() > ${at}::timestamptz + ${LOCKS_VISIBLE_MS}::int * interval '1 millisecond'
      and not exists (
        select 1 from pg_stat_activity a left join (
          select pid, bool_and(mode in ('AccessShareLock', 'ShareUpdateExclusiveLock')) as only_reads
          from pg_locks where locktype = 'relation' group by pid
        ) as l using (pid)
        where a.datname = current_database() and a.pid <> pg_backend_pid()
          and coalesce(a.backend_type, 'client backend') = 'client backend'
          -- Stored times are rounded to milliseconds.
          and case when coalesce(a.state, 'disabled') = 'disabled' then not l.only_reads
            else a.xact_start <= ${at}::timestamptz + interval '1 millisecond'
              and l.only_reads is not true end
      ) as "isSettled"`;
  return row!.isSettled;
}
