import type { Sql } from "postgres";
import { z } from "zod";
import type { ConsoleBatch } from "@/server/batches/list/console-schema";
import { refreshBatches } from "@/server/batches/list/list-console-batches";
import { withTimes } from "@/server/kernel/batch-rows";
import type { ServiceContext } from "@/server/kernel/context";
import { workerFailure } from "@/server/kernel/database-errors";
import type { BatchKey } from "@/terms/batch-schema";
import { ALERT_KINDS, type AlertKind, type Severity, type Words } from "./kinds";

const PAGE_ROWS = 50;
const IDS_MAX = 100;

/** The cursor is the last alert of the previous page. */
export const ListEndedInput = z.strictObject({ cursor: z.uuid().nullish() });
export type ListEndedInput = z.output<typeof ListEndedInput>;

export const SeenInput = z.strictObject({
  cardIds: z.array(z.guid()).min(1).max(IDS_MAX),
  isSeen: z.boolean().default(true),
});
export type SeenInput = z.output<typeof SeenInput>;

export interface EndedAlert extends Omit<Words, "remedy"> {
  id: string;
  kind: AlertKind;
  subject: string;
  severity: Severity;
  startedAt: string;
  /** When the condition was gone. */
  clearedAt: string;
  seenBy: { email: string; at: string }[];
  /** As it is now, if the alert was about one, or about the payout that it has. */
  batch: ConsoleBatch | null;
}

/** Alerts whose condition is gone, the latest first. */
export async function listEnded(ctx: ServiceContext, { cursor }: ListEndedInput) {
  const { sql } = ctx.db;
  const after = cursor
    ? sql`and (started_at, id) < (select c.started_at, c.id from alerts c where c.id = ${cursor}::uuid)`
    : sql``;
  const rows = await sql<Omit<EndedAlert, "batch">[]>`
    select id, kind, subject, severity, title, path, started_at as "startedAt", cleared_at as "clearedAt", (
        select coalesce(json_agg(json_build_object(
            'email', v.seen_by,
            'at', to_char(v.seen_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
          ) order by v.seen_at, v.seen_by), '[]')
        from alert_views v where v.alert_id = a.id
      ) as "seenBy"
    from alerts a
    where cleared_at is not null ${after}
    order by started_at desc, id desc limit ${PAGE_ROWS + 1}`;
  const shown = rows.slice(0, PAGE_ROWS).map((row) => withTimes(row, "startedAt", "clearedAt"));
  const subjects = shown.flatMap(({ kind, subject }) => (kind === "batch" ? [subject] : []));
  const batchOf = await findBatches(ctx, subjects).catch((error) => {
    // On Citus, alerts are on the coordinator.
    if (!workerFailure(error)) throw error;
    return () => null;
  });
  const alerts = shown.map((alert): EndedAlert => ({ ...alert, batch: batchOf(alert.subject) }));
  return { alerts, cursor: rows.length > PAGE_ROWS ? alerts.at(-1)!.id : null };
}

/** Of a payout, any of its batches: none if they are of several types, since its figures are of one. */
async function findBatches(ctx: ServiceContext, subjects: string[]) {
  const { sql } = ctx.db;
  // As texts: Citus has no `min` of an enum.
  const ofPayouts = await sql<{ subject: string; key: string }[]>`
    with wanted as materialized (
      select subject, decode(substr(subject, 3, 40), 'hex') as contract, split_part(subject, '/', 3) as id
      from unnest(${subjects}::text[]) as given (subject) where split_part(subject, '/', 2) = 'payout'
    )
    select w.subject, split_part(w.subject, '/', 1) || '/' || min(b.id) as key
    from wanted w join payout_parts p on p.contract_address = w.contract and p.payout_id = w.id
      join batches b on b.contract_address = p.contract_address and b.seq = p.batch_seq
    group by w.subject having min(b.point_type::text) = max(b.point_type::text)`;
  const keyOf = new Map(ofPayouts.map(({ subject, key }) => [subject, key]));
  const keys = subjects.flatMap((subject) => {
    const [contractAddress, batchId, ...more] = (keyOf.get(subject) ?? subject).split("/");
    return more.length === 0 ? [{ contractAddress, batchId } as BatchKey] : [];
  });
  const { batches } = await refreshBatches(ctx, keys);
  return (subject: string): ConsoleBatch | null =>
    batches.find((one) => `${one.contractAddress}/${one.id}` === (keyOf.get(subject) ?? subject)) ?? null;
}

/** The most severe first; then what causes others; then what is due soonest, and what is overdue last. */
export const worstFirst = (sql: Sql) => sql`
  severity, array_position(${[...ALERT_KINDS]}::text[], case when due_at is null then kind else 'batch' end),
  due_at <= now(), due_at, started_at, id`;
