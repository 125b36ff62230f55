import type { TransactionSql } from "postgres";
import { refused } from "./require-cluster";

/**
 * Refuses to distribute beside other programs: their statements would wait, and their sessions would keep the settings of one
 * Postgres. @throws DomainError `validation_failed`
 */
export async function requireNoOtherSession(tx: TransactionSql): Promise<void> {
  // Of other roles' sessions an ordinary role sees no kind; processes of the server itself have no role, or Citus' name.
  const others = await tx<{ program: string; sessions: number }[]>`
    select coalesce(nullif(application_name, ''), 'unnamed') || ' as ' || usename as program, count(*)::int as sessions
    from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and usename is not null
      and coalesce(backend_type = 'client backend', true) and application_name !~* '^citus'
    group by 1 order by 2 desc`;
  if (others.length === 0) return;
  const list = others.map(({ program, sessions }) => `${sessions} of ${program}`).join(", ");
  throw refused(
    `Other sessions are connected to the database: ${list}.`,
    "Stop the service first, or give --yes when none of them is the service's.",
  );
}
