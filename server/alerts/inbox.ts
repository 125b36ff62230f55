import type { Sql } from "postgres";
import { z } from "zod";
import { withTimes } from "@/server/kernel/batch-rows";
import type { ServiceContext } from "@/server/kernel/context";
import { ALERT_KINDS, ALERT_STATES, type AlertKind, type Severity } from "./kinds";

const PAGE_ROWS_MAX = 100;
const PAGE_ROWS = 50;
const IDS_MAX = 100;

export const ListAlertsInput = z.strictObject({
  state: z.enum(ALERT_STATES),
  limit: z.int().min(1).max(PAGE_ROWS_MAX).optional(),
  /** Last alert of the previous page. */
  cursor: z.uuid().nullish(),
});
export type ListAlertsInput = z.output<typeof ListAlertsInput>;

export const SeenInput = z.strictObject({ alertIds: z.array(z.uuid()).min(1).max(IDS_MAX) });
export type SeenInput = z.output<typeof SeenInput>;

export interface ShownAlert {
  id: string;
  kind: AlertKind;
  severity: Severity;
  title: string;
  remedy: string;
  path: string;
  startedAt: string;
  /** When the condition was gone. It may come back until `endedAt`. */
  clearedAt: string | null;
  endedAt: string | null;
  seenBy: { email: string; at: string }[];
}

export interface AlertSummary {
  /** Alerts whose condition lasts and that the user has not seen, worst first, at most `SUMMARY_MAX`. */
  unseen: Pick<ShownAlert, "id" | "severity" | "title" | "remedy" | "path">[];
  unseenCount: number;
}

const SUMMARY_MAX = 5;
const UNSEEN_COUNTED_MAX = 100;

export async function listAlerts(
  { db: { sql } }: ServiceContext,
  { state, cursor, limit = PAGE_ROWS }: ListAlertsInput,
) {
  const states = { open: sql`and ended_at is null`, ended: sql`and ended_at is not null`, all: sql`` };
  const after = cursor
    ? sql`and (started_at, id) < (select c.started_at, c.id from alerts c where c.id = ${cursor}::uuid)`
    : sql``;
  const rows = await sql<ShownAlert[]>`
    with page as (
      select id, kind, severity, title, remedy, path, started_at, cleared_at, ended_at from alerts a
      where true ${states[state]} ${after}
      order by started_at desc, id desc limit ${limit + 1}
    )
    select p.id, p.kind, p.severity, p.title, p.remedy, p.path,
      p.started_at as "startedAt", p.cleared_at as "clearedAt", p.ended_at as "endedAt",
      coalesce(json_agg(json_build_object(
          'email', v.seen_by,
          'at', to_char(v.seen_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
        ) order by v.seen_at, v.seen_by) filter (where v.seen_by is not null), '[]') as "seenBy"
    from page p left join alert_views v on v.alert_id = p.id
    group by p.id, p.kind, p.severity, p.title, p.remedy, p.path, p.started_at, p.cleared_at, p.ended_at
    order by p.started_at desc, p.id desc`;
  const shown = rows.slice(0, limit).map((row) => withTimes(row, "startedAt", "clearedAt", "endedAt"));
  return { alerts: shown, cursor: rows.length > limit ? shown.at(-1)!.id : null };
}

/** The most severe first; then what causes others; then what is due soonest, and what is overdue last. */
export const worstFirst = (sql: Sql) => sql`
  severity, array_position(${[...ALERT_KINDS]}::text[], case when due_at is null then kind else 'batch' end),
  due_at <= now(), due_at, started_at, id`;

/** What every page shows. Reads the open alerts, of which there are few. */
export async function summarizeAlerts({ db: { sql } }: ServiceContext, email: string): Promise<AlertSummary> {
  const rows = await sql<AlertSummary["unseen"]>`
    select id, severity, title, remedy, path from alerts a
    where ended_at is null and cleared_at is null
      and not exists (select 1 from alert_views v where v.alert_id = a.id and v.seen_by = ${email})
    order by ${worstFirst(sql)} limit ${UNSEEN_COUNTED_MAX}`;
  return { unseen: rows.slice(0, SUMMARY_MAX), unseenCount: rows.length };
}

/** Only the first time that a person sees an alert counts. Alerts that no longer exist are ignored. */
export async function markSeen(
  { db: { sql } }: ServiceContext,
  email: string,
  { alertIds }: SeenInput,
): Promise<void> {
  await sql`
    insert into alert_views (alert_id, seen_by)
    select id, ${email}::text from alerts where id = any(${alertIds}::uuid[])
    on conflict (alert_id, seen_by) do nothing`;
}
