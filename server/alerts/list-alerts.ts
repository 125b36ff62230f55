import type { ServiceContext } from "../kernel/context";
import { toTimestamp } from "../kernel/values/batch-rows";
import { type Alert, type AlertPage, type ListAlertsInput, PAGE_ROWS } from "./console-schema";

interface Row extends Omit<Alert, "startedAt" | "clearedAt" | "endedAt" | "seenBy"> {
  started_at: string;
  cleared_at: string | null;
  ended_at: string | null;
  seenBy: string[] | null;
  seenAt: string[] | null;
}

/** One page of alerts, newest first. */
export async function listAlerts(
  { db: { sql } }: ServiceContext,
  email: string,
  input: ListAlertsInput,
): Promise<AlertPage> {
  const limit = input.limit ?? PAGE_ROWS;
  const { state, kinds, isUnseen, cursor } = input;
  const states = { open: sql`and ended_at is null`, ended: sql`and ended_at is not null`, all: sql`` };
  const rows = await sql<Row[]>`
    with page as (
      select id, kind, severity, title, remedy, path, started_at, cleared_at, ended_at from alerts a
      where true ${states[state]}
        ${kinds?.length ? sql`and kind = any(${kinds}::text[])` : sql``}
        ${isUnseen ? sql`and not exists (select 1 from alert_views v where v.alert_id = a.id and v.seen_by = ${email})` : sql``}
        ${cursor ? sql`and (started_at, id) < (select c.started_at, c.id from alerts c where c.id = ${cursor}::uuid)` : sql``}
      order by started_at desc, id desc limit ${limit + 1}
    )
    select p.*, array_agg(v.seen_by order by v.seen_at, v.seen_by) filter (where v.seen_by is not null) as "seenBy",
      array_agg(to_char(v.seen_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') order by v.seen_at, v.seen_by)
        filter (where v.seen_by is not null) as "seenAt"
    from page p left join alert_views v on v.alert_id = p.id
    group by p.id, p.kind, p.severity, p.title, p.remedy, p.path, p.started_at, p.cleared_at, p.ended_at
    order by p.started_at desc, p.id desc`;
  const shown = rows.slice(0, limit);
  return { alerts: shown.map(toAlert), cursor: rows.length > limit ? shown.at(-1)!.id : null };
}

function toAlert({ started_at, cleared_at, ended_at, seenBy, seenAt, ...alert }: Row): Alert {
  return {
    ...alert,
    startedAt: toTimestamp(started_at),
    clearedAt: cleared_at && toTimestamp(cleared_at),
    endedAt: ended_at && toTimestamp(ended_at),
    seenBy: (seenBy ?? []).map((email, place) => ({ email, at: seenAt![place]! })),
  };
}
