import type { TransactionSql } from "postgres";
import { refused } from "./require-cluster";

/**
 * Refuses to run while other sessions are connected. Their statements would block, and they would keep their old settings.
 * @throws DomainError `validation_failed`
 */
export async function requireNoOtherSession(tx: TransactionSql): Promise<void> {
  // An ordinary role cannot see the backend_type of other roles' sessions. Server processes have no role, or a Citus name.
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
    "Stop the service first. If none of these sessions belong to the service, use --yes.",
  );
}
