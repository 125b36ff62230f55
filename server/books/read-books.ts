import type { Database } from "@/db/client";
import { cached } from "@/server/kernel/cached";
import { CHECK_COMPLETED } from "@/server/ledger/run-check";
import type { Books } from "./schema";

const KEPT_SECONDS = 60;

export const cachedBooks = (db: Database) => cached("books", "", KEPT_SECONDS, () => readBooks(db));

/** Reads only stored results of the self-check, and so never a large table. */
async function readBooks({ sql }: Database): Promise<Books> {
  const rfc3339 = (instant: string) =>
    sql.unsafe(`to_char(${instant} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`);
  const age = (column: string) =>
    sql.unsafe(`greatest(0, floor(extract(epoch from now() - ${column})))::float8`);
  const incomplete = JSON.stringify([{ rule: CHECK_COMPLETED }]);
  const [[at], [last], [summed]] = await Promise.all([
    sql<Pick<Books, "readAt" | "inBalanceSince">[]>`
      select ${rfc3339("now()")} as "readAt", (select ${rfc3339("min(finished_at)")} from ledger_checks
        where is_ok and finished_at > coalesce((select max(finished_at) from ledger_checks
          where not is_ok and not findings @> ${incomplete}::text::jsonb), '-infinity')) as "inBalanceSince"`,
    sql<NonNullable<Books["lastCheck"]>[]>`
      select case when is_ok then 'IN_BALANCE' when findings @> ${incomplete}::text::jsonb then 'INCOMPLETE'
          else 'NOT_IN_BALANCE' end as result,
        upper(reach) as reach, ${rfc3339("started_at")} as "startedAt",
        ${rfc3339("finished_at")} as "finishedAt", ${age("finished_at")} as "ageSeconds"
      from ledger_checks order by finished_at desc, id desc limit 1`,
    sql<Pick<Books, "totals" | "accounts" | "totalsAt" | "totalsAgeSeconds">[]>`
      select totals, accounts::float8 as accounts, ${rfc3339("started_at")} as "totalsAt",
        ${age("started_at")} as "totalsAgeSeconds"
      from ledger_checks where totals is not null order by finished_at desc, id desc limit 1`,
  ]);
  const noTotals = { totals: [], accounts: 0, totalsAt: null, totalsAgeSeconds: null };
  return { ...at!, lastCheck: last ?? null, ...(summed ?? noTotals) };
}
