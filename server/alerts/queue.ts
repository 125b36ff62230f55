import { createHash } from "node:crypto";
import type { Fragment } from "postgres";
import { addressArray, addressFromBytes } from "@/server/kernel/address-bytes";
import { toTimestamp, withPoints, withTimes } from "@/server/kernel/batch-rows";
import type { ServiceContext } from "@/server/kernel/context";
import { emailOf } from "@/server/staff/second-person";
import { worstFirst } from "./inbox";
import { CARD_KINDS, type CardKind, type Severity, type Words } from "./kinds";
import { type Group, type ShownBatch, wordsOf } from "./words";

// What waits for a person, decided at read by each batch's own row: a hold, cancel, approval, release or
// finalization ends a card, or changes its words, when it commits, and writes nothing here.

/** Batches that are read of each kind, most urgent first. The next ones come up as these are decided. */
const BATCHES_MAX = 1000;
/** Batches of a payout that one decision changes. A larger one is decided on its own page. */
export const DECIDED_MAX = 20;

/** The columns of a group of batches `b` with their payouts. @param first which of them is shown */
const groupOf = (sql: ServiceContext["db"]["sql"], first: Fragment) => sql`
  b.contract_address as contract, b.payout_id as "payoutId",
  (array_agg(b.seq order by ${first}))[1]::text as seq, (array_agg(b.id order by ${first}))[1] as "batchId",
  (array_agg(b.id order by b.seq))[1:${DECIDED_MAX}::int] as "batchIds", count(*)::int as "batchCount",
  case when count(distinct b.point_type) = 1 then sum(b.points)::text end as points,
  sum(b.transfer_count)::int as "transferCount",
  min(b.finalize_at) as "dueAt"`;

const BY_PAYOUT = "b.contract_address, b.payout_id, case when b.payout_id is null then b.seq end";

/** Of `batches b`, joined where these are read: joined to the CTE, Citus would read every part there is. */
const WITH_PAYOUT =
  "left join payout_parts p on p.contract_address = b.contract_address and p.batch_seq = b.seq";

/**
 * Batches that are very unusual first, then those due soonest, that can still be stopped. Reads the reviews
 * of batches due no earlier than the first pending one from an index, so none is hidden by those that came
 * after it. Submitted in the console, a batch's review was confirmed, so it is a warning at most.
 * @param except left out, since this person confirmed what they submitted
 */
export async function findUnusual(
  { db: { sql } }: ServiceContext,
  most: number,
  except = "",
): Promise<Group[]> {
  const [first] = await sql<{ due_at: string | null }[]>`
    select min(finalize_at) as due_at from batches
    where status = 'PENDING' and held_at is null and not awaits_approval`;
  if (!first?.due_at) return [];
  const rows = await sql<Group[]>`
    with b as materialized (
      select b.contract_address, b.seq, b.id, b.finalize_at, b.point_type, b.points, b.transfer_count,
        p.payout_id, r.level, r.reviewed_at,
        case when r.level = 'alarming' and b.submitted_by not like 'staff:%'
          then 'critical' else 'warning' end as severity
      from batch_reviews r join batches b on b.contract_address = r.contract_address and b.seq = r.batch_seq
        ${sql.unsafe(WITH_PAYOUT)}
      where r.due_at >= ${first.due_at}::text::timestamptz
        and b.status = 'PENDING' and b.held_at is null and not b.awaits_approval
        and b.submitted_by <> ${except}
      order by severity, b.finalize_at, b.seq limit ${most}
    )
    select 'batch' as kind, min(b.severity) as severity,
      min(b.reviewed_at) as "startedAt", max(b.reviewed_at) as "joinedAt",
      ${groupOf(sql, sql`b.level, b.finalize_at, b.seq`)}
    from b
    group by ${sql.unsafe(BY_PAYOUT)}
    order by severity, "dueAt", seq`;
  return rows.map(readGroup);
}

const readGroup = (row: Group) => withPoints(withTimes(row, "dueAt", "startedAt", "joinedAt"), "points");

/** A payout whose parts are just being stored is not stuck. */
const STORING_SECONDS = 60;

/**
 * Batches that somebody must approve or release, and whether all were read. Approvals that the person may not
 * give are left out, and those that a running review may spare.
 */
async function findBlocked({ db: { sql }, actor }: ServiceContext) {
  const rows = await sql<(Group & { read: number })[]>`
    with b as materialized (
      select b.*, p.payout_id, case when held_for_payout then 'payout' when held_at is not null then 'hold'
          else 'approval' end as kind
      from batches b ${sql.unsafe(WITH_PAYOUT)}
      where status = 'PENDING' and (held_at is not null or awaits_approval)
        and (held_at is not null or (approval_need <> 'REVIEW' or finalize_at <= now())
          and submitted_by <> ${actor} and token_created_by is distinct from ${actor})
      order by finalize_at, seq limit ${BATCHES_MAX}
    )
    select b.kind, case when b.kind = 'approval' and min(b.finalize_at) <= now()
        then 'critical' else 'warning' end as severity,
      min(coalesce(b.held_at, b.created_at)) as "startedAt",
      max(coalesce(b.held_at, b.created_at)) as "joinedAt",
      ${groupOf(sql, sql`b.finalize_at, b.seq`)}, (select count(*)::int from b) as read
    from b
    group by b.kind, ${sql.unsafe(BY_PAYOUT)}
    having b.kind <> 'payout' or max(b.created_at) < now() - make_interval(secs => ${STORING_SECONDS}::int)`;
  const groups = rows.map(({ read: _, ...row }) => readGroup(row));
  return { groups, isWhole: (rows[0]?.read ?? 0) < BATCHES_MAX };
}

/** Of groups that still are there. */
export async function readShown(
  { db: { sql } }: ServiceContext,
  groups: readonly Group[],
): Promise<Map<Group, ShownBatch>> {
  if (groups.length === 0) return new Map();
  const rows = await sql<(ShownBatch & { seq: string })[]>`
    with wanted as materialized (
      select * from unnest(${addressArray(groups.map(({ contract }) => contract))}::bytea[],
        ${`{${groups.map(({ seq }) => seq).join(",")}}`}::text::bigint[]) as given (contract, seq)
    )
    select b.seq::text, c.label, b.point_type as "pointType", b.points as total,
      b.submitted_by as "submittedBy", b.held_by as "heldBy", b.hold_reason as "holdReason",
      r.findings as review, p.part_count as "partCount", p.file_name as "fileName"
    from wanted w join batches b on b.contract_address = w.contract and b.seq = w.seq
      join contracts c on c.address = b.contract_address
      left join batch_reviews r on r.contract_address = b.contract_address and r.batch_seq = b.seq
      left join payout_parts p on p.contract_address = b.contract_address and p.batch_seq = b.seq`;
  const bySeq = new Map(rows.map(({ seq, ...row }) => [seq, withPoints(row, "total")]));
  return new Map(
    groups.flatMap((group): [Group, ShownBatch][] => {
      const shown = bySeq.get(group.seq);
      return shown ? [[group, shown]] : [];
    }),
  );
}

/** Something that waits for a person. */
export interface Card extends Words {
  id: string;
  kind: CardKind;
  severity: Severity;
  startedAt: string;
  dueAt: string | null;
  seenBy: { email: string; at: string }[];
  /** Null for an alert about the service or a contract. */
  batches: CardBatches | null;
}

export interface CardBatches extends Omit<Group, "contract" | "kind" | "severity" | "joinedAt">, ShownBatch {
  contractAddress: string;
}

/** The same for all people, until what it says changes its kind or severity. */
function idOf({ kind, severity, contract, payoutId, batchId }: Group): string {
  const thing = payoutId === null ? batchId : `payout/${payoutId}`;
  const subject = `${kind}/${severity}/${addressFromBytes(contract)}/${thing}`;
  const hex = createHash("sha256").update(subject).digest("hex");
  return hex.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/** A card without its words, which are made only where they are shown. */
interface Place extends Pick<Card, "id" | "kind" | "severity" | "dueAt" | "startedAt"> {
  about: Group | Words;
}

/** The most severe first; then what causes others; then what is due soonest, and what is overdue last. */
function urgencyOf({ severity, kind, dueAt, startedAt }: Place): string {
  const isTimed = dueAt !== null && kind !== "hold";
  const rank = CARD_KINDS.indexOf(isTimed ? "batch" : kind);
  const isLate = dueAt !== null && Date.parse(dueAt) <= Date.now();
  return [severity, String(rank).padStart(2, "0"), Number(isLate), dueAt, startedAt].join(" ");
}

/** Alerts about the service and its contracts, of which there are few. Those of batches are decided above. */
async function findAlerts({ db: { sql } }: ServiceContext, withApprovals: boolean): Promise<Place[]> {
  const rows = await sql<(Omit<Place, "about"> & Words)[]>`
    select id, kind, severity, title, remedy, path, due_at as "dueAt", started_at as "startedAt"
    from alerts
    where ended_at is null and cleared_at is null
      and kind <> 'batch' and (kind <> 'approval' or ${withApprovals})
    order by ${worstFirst(sql)} limit ${BATCHES_MAX}`;
  return rows.map(({ title, remedy, path, ...row }) => ({
    ...withTimes(row, "dueAt", "startedAt"),
    about: { title, remedy, path },
  }));
}

/** Who has seen a card has not seen the batches that joined its payout since then. */
const wasSeen = ({ about }: Place, seenAt: string | undefined): boolean =>
  seenAt !== undefined && !("joinedAt" in about && seenAt < about.joinedAt);

/** What waits for the caller, most urgent first and seen last, and whether the list is complete. */
async function findPlaces(ctx: ServiceContext) {
  const unusual = await findUnusual(ctx, BATCHES_MAX, ctx.actor);
  const unusualCount = unusual.reduce((sum, { batchCount }) => sum + batchCount, 0);
  const { groups, isWhole } = await findBlocked(ctx);
  const places = [...unusual, ...groups].map((group): Place => {
    const { kind, severity, dueAt, startedAt } = group;
    return { id: idOf(group), kind, severity, dueAt, startedAt, about: group };
  });
  // If some were not read, an approval may be among them, but the alert about its contract is not.
  places.push(...(await findAlerts(ctx, !isWhole)));
  const views = await ctx.db.sql<{ id: string; at: string }[]>`
    select alert_id as id, seen_at as at from alert_views
    where seen_by = ${emailOf(ctx.actor)} and alert_id = any(${places.map(({ id }) => id)}::uuid[])`;
  const seen = new Map(views.map(({ id, at }) => [id, toTimestamp(at)]));
  const sorted = places
    .map((place) => ({ ...place, isSeen: wasSeen(place, seen.get(place.id)), urgency: urgencyOf(place) }))
    .sort(
      (one, other) => Number(one.isSeen) - Number(other.isSeen) || (one.urgency < other.urgency ? -1 : 1),
    );
  return { places: sorted, isWhole: isWhole && unusualCount < BATCHES_MAX };
}

async function cardsOf(ctx: ServiceContext, places: readonly Place[]): Promise<Card[]> {
  const groups = places.flatMap(({ about }) => ("kind" in about ? [about] : []));
  const shown = await readShown(ctx, groups);
  const ids = places.map(({ id }) => id);
  const views = await ctx.db.sql<{ id: string; email: string; at: string }[]>`
    select alert_id as id, seen_by as email, seen_at as at from alert_views
    where alert_id = any(${ids}::uuid[]) order by seen_at, seen_by`;
  return places.flatMap((given): Card[] => {
    const { id, kind, severity, dueAt, startedAt, about } = given;
    const seenBy = views
      .filter((view) => view.id === id)
      .map(({ email, at }) => ({ email, at: toTimestamp(at) }))
      .filter(({ at }) => wasSeen(given, at));
    const place = { id, kind, severity, dueAt, startedAt, seenBy };
    if (!("kind" in about)) return [{ ...place, ...about, batches: null }];
    const first = shown.get(about);
    return first ? [{ ...place, ...wordsOf(about, first), batches: batchesOf(about, first) }] : [];
  });
}

function batchesOf(
  { contract, kind: _, severity: __, joinedAt: ___, ...group }: Group,
  shown: ShownBatch,
): CardBatches {
  return { ...group, ...shown, contractAddress: addressFromBytes(contract) };
}

const SHOWN_MAX = 50;

export interface ReadQueue {
  cards: Card[];
  /** Of all cards; a minimum if not all batches were read. */
  count: number;
  isWhole: boolean;
}

/** The cards of the Alerts screen. The next ones come up as these are decided. */
export async function readQueue(ctx: ServiceContext): Promise<ReadQueue> {
  const { places, isWhole } = await findPlaces(ctx);
  return { cards: await cardsOf(ctx, places.slice(0, SHOWN_MAX)), count: places.length, isWhole };
}

export interface QueueSummary {
  first: Card | null;
  /** At most `COUNTED_MAX`. */
  unseenCount: number;
  /** Of the batches that nobody has stopped. */
  nextDueAt: string | null;
  now: string;
}

const COUNTED_MAX = 100;

/** What every page shows. */
export async function summarizeQueue(ctx: ServiceContext): Promise<QueueSummary> {
  const unseen = (await findPlaces(ctx)).places.filter(({ isSeen }) => !isSeen);
  const [first = null] = await cardsOf(ctx, unseen.slice(0, 1));
  const [next] = await ctx.db.sql<{ at: string | null; now: string }[]>`
    select min(finalize_at) as at, now() as now from batches
    where status = 'PENDING' and held_at is null and not awaits_approval and finalize_at > now()`;
  return {
    first,
    unseenCount: Math.min(unseen.length, COUNTED_MAX),
    nextDueAt: next!.at && toTimestamp(next!.at),
    now: toTimestamp(next!.now),
  };
}
