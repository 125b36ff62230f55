import type { ServiceContext } from "../kernel/context";
import type { AlertSummary } from "./console-schema";
import { ALERT_KINDS } from "./kinds";

const SUMMARY_MAX = 5;
const COUNT_MAX = 100;

/** What every page shows. Reads the open alerts, of which there are few. */
export async function summarizeAlerts({ db: { sql } }: ServiceContext, email: string): Promise<AlertSummary> {
  const rows = await sql<AlertSummary["unseen"]>`
    select id, severity, title, remedy, path from alerts a
    where ended_at is null and cleared_at is null
      and not exists (select 1 from alert_views v where v.alert_id = a.id and v.seen_by = ${email})
    order by severity, array_position(${[...ALERT_KINDS]}::text[], kind), started_at, id limit ${COUNT_MAX}`;
  return { unseen: rows.slice(0, SUMMARY_MAX), unseenCount: rows.length };
}
