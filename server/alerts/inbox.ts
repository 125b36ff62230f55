import { createHash } from "node:crypto";
import type { Fragment, Sql } from "postgres";
import { z } from "zod";
import { auditTarget, payoutTarget } from "@/server/audit/audit-person-change";
import type { ConsoleBatch, TimelineEntry } from "@/server/batches/list/console-schema";
import { refreshBatches } from "@/server/batches/list/list-console-batches";
import { readDecisions } from "@/server/batches/review/describe-batch";
import { toTimestamp, withTimes } from "@/server/kernel/batch-rows";
import type { ServiceContext } from "@/server/kernel/context";
import { workerFailure } from "@/server/kernel/database-errors";
import { ALERT_KINDS, type AlertKind, type Severity, type Words } from "./kinds";

const PAGE_ROWS = 50;
const IDS_MAX = 100;

/** The cursor is the last alert of the previous page. */
export const ListEndedInput = z.strictObject({ cursor: z.uuid().nullish() });
export type ListEndedInput = z.output<typeof ListEndedInput>;

export const SeenInput = z.strictObject({
  cardIds: z.array(z.guid()).min(1).max(IDS_MAX),
  isSeen: z.boolean().default(true),
  /** When the queue was read. A card that a batch has joined since then stays unseen. */
  readAt: z.iso.datetime().optional(),
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
  /** The last one about it since the alert started; null also if its batches have different ones. */
  decision: Decision | null;
}

type Decision = Omit<TimelineEntry, "requestId">;
type Fate = Pick<EndedAlert, "batch" | "decision">;

/** The ID of a card: the same for all people, until what it says changes its kind or severity. */
export function idOf(subject: string): string {
  const hex = createHash("sha256").update(subject).digest("hex");
  return hex.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/** @returns who has seen a card or an alert by any of these IDs, the first one first */
export async function readViews({ db: { sql } }: ServiceContext, ids: readonly string[]) {
  const rows = await sql<{ id: string; email: string; at: string }[]>`
    select alert_id as id, seen_by as email, seen_at as at from alert_views
    where alert_id = any(${ids}::uuid[]) order by seen_at, seen_by`;
  return (...these: string[]) =>
    rows.flatMap(({ id, email, at }) => (these.includes(id) ? [{ email, at: toTimestamp(at) }] : []));
}

/** Alerts whose condition is gone, the latest first. */
export async function listEnded(ctx: ServiceContext, { cursor }: ListEndedInput) {
  const { sql } = ctx.db;
  const after = cursor
    ? sql`and (started_at, id) < (select c.started_at, c.id from alerts c where c.id = ${cursor}::uuid)`
    : sql``;
  const rows = await sql<Omit<EndedAlert, keyof Fate | "seenBy">[]>`
    select id, kind, subject, severity, title, path, started_at as "startedAt", cleared_at as "clearedAt"
    from alerts
    where cleared_at is not null ${after}
    order by started_at desc, id desc limit ${PAGE_ROWS + 1}`;
  const shown = rows.slice(0, PAGE_ROWS).map((row) => withTimes(row, "startedAt", "clearedAt"));
  // Its own, and that of the card which a batch or payout had meanwhile.
  const idsOf = ({ id, severity, subject }: (typeof shown)[number]) => [
    id,
    idOf(`${severity}/batch/${subject}`),
  ];
  const viewsOf = await readViews(ctx, shown.flatMap(idsOf));
  const subjects = shown.flatMap(({ kind, subject }) => (kind === "batch" ? [subject] : []));
  const fateOf = await findFates(ctx, subjects).catch((error) => {
    // On Citus, alerts are on the coordinator.
    if (!workerFailure(error)) throw error;
    return () => null;
  });
  const alerts = shown.map((alert): EndedAlert => {
    const seenBy = viewsOf(...idsOf(alert));
    return { ...alert, seenBy, batch: null, decision: null, ...fateOf(alert) };
  });
  return { alerts, cursor: rows.length > PAGE_ROWS ? alerts.at(-1)!.id : null };
}

/** Of a payout, any of its batches: none if they are of several types, since its figures are of one. */
async function findFates(ctx: ServiceContext, subjects: string[]) {
  const { sql } = ctx.db;
  // A row for each type and decision of a subject's batches. A cancelled batch keeps earlier ones.
  const read = (its: Fragment) => sql<(Decision & Record<"subject" | "batchId" | "pointType", string>)[]>`
    with wanted as materialized (
      select subject, decode(substr(subject, 3, 40), 'hex') as contract, split_part(subject, '/', 2) as id,
        split_part(subject, '/', 3) as payout_id
      from unnest(${subjects}::text[]) as given (subject)
    )
    select w.subject, b.point_type as "pointType",
      case when b.cancelled_at is not null then 'cancelled' when b.held_at is not null then 'held'
        when b.approved_at is not null then 'approved' else 'created' end as event,
      coalesce(b.cancelled_by, b.held_by, b.approved_by) as by,
      case when b.cancelled_at is null then b.hold_reason else b.cancel_reason end as reason,
      max(coalesce(b.cancelled_at, b.held_at, b.approved_at, b.created_at)) as at, min(b.id) as "batchId"
    from wanted w ${its}
    group by 1, 2, 3, 4, 5`;
  const [ofBatches, ofPayouts, decided] = await Promise.all([
    read(sql`join batches b on b.contract_address = w.contract and b.id = w.id where w.payout_id = ''`),
    read(sql`join payout_parts p on p.contract_address = w.contract and p.payout_id = w.payout_id
      join batches b on b.contract_address = p.contract_address and b.seq = p.batch_seq`),
    readDecisions(ctx, subjects.map(targetOf)),
  ]);
  const released = decided.filter(({ event }) => event === "released");
  const rows = [...ofBatches, ...ofPayouts].map((row) => withTimes(row, "at"));
  const keys = rows.map(({ subject, batchId }) => ({ contractAddress: subject.split("/")[0]!, batchId }));
  const { batches } = await refreshBatches(ctx, keys);
  return ({ subject, startedAt }: Pick<EndedAlert, "subject" | "startedAt">): Fate | null => {
    const [row, ...others] = rows.filter((one) => one.subject === subject);
    const batch = batches.find((one) => subject.startsWith(one.contractAddress) && one.id === row?.batchId);
    if (!row || !batch || others.some(({ pointType }) => pointType !== row.pointType)) return null;
    // A release leaves no trace in the row.
    const release = released.findLast(({ target }) => target === targetOf(subject));
    const last = release && release.at > row.at ? release : row;
    return { batch, decision: others.length === 0 && last.at >= startedAt ? last : null };
  };
}

function targetOf(subject: string): string {
  const [contractAddress = "", batchId = "", payoutId] = subject.split("/");
  return payoutId ? payoutTarget({ contractAddress, payoutId }) : auditTarget({ contractAddress, batchId });
}

/** The most severe first; then what causes others; then what is due soonest, and what is overdue last. */
export const worstFirst = (sql: Sql) => sql`
  severity, array_position(${[...ALERT_KINDS]}::text[], case when due_at is null then kind else 'batch' end),
  due_at <= now(), due_at, started_at, id`;
