import type { Database } from "@/db/client";

/** Between the start of a transaction and its first lock Postgres needs microseconds. */
const LOCKS_VISIBLE_MS = 100;

/**
 * The transactions, in words, whose end is awaited before everything is committed that will ever be
 * finalized, issued or granted at or before this time. Null when they cannot be known yet.
 *
 * These times are when the transaction began, and it may commit long after others that began later. A
 * transaction of that age is awaited unless it only reads: it has locks on tables, but only those of a
 * reader, and waits for none. Ask before opening a snapshot. Otherwise a transaction that commits in between
 * is in neither. One whose start Postgres hides counts as old: of another role, while `track_activities` is
 * off, or prepared for a commit in two phases. An open transaction is known by the lock on its virtual ID.
 * One whose role can neither write accounts nor become a role that can does not matter.
 */
export async function openBefore({ sql }: Database, at: string): Promise<string[] | null> {
  const [row] = await sql<{ isKnown: boolean; open: string[] }[]>`
    select clock_timestamp() > ${at}::timestamptz + ${LOCKS_VISIBLE_MS}::int * interval '1 millisecond'
        as "isKnown",
      array(
        select format('process %s of %s', pid, usename) || coalesce(', since ' || xact_start, '')
        from pg_stat_activity a join (
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
          and exists (
            select 1 from pg_roles r
            where has_table_privilege(r.oid, 'accounts', 'insert, update')
              and pg_has_role(a.usesysid, r.oid, 'member')
          )
        union all
        select 'the prepared ' || gid from pg_prepared_xacts where database = current_database()
      ) as open`;
  return row!.isKnown ? row!.open : null;
}
