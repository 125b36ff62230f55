import type { Fragment } from "postgres";
import type { ChangeWords } from "@/server/approvals/schema";
import { auditTarget } from "@/server/audit/audit-person-change";
import { countOverdue, countStopped } from "@/server/batches/list/count-batches";
import { addressArray, addressFromBytes } from "@/server/kernel/address-bytes";
import { seqArray, toTimestamp, withPoints, withTimes } from "@/server/kernel/batch-rows";
import type { ServiceContext } from "@/server/kernel/context";
import { workerFailure } from "@/server/kernel/database-errors";
import { emailOf, standingOf } from "@/server/staff/second-person";
import { findProposals } from "./find-proposals";
import { idOf, readViews, type SeenInput, worstFirst } from "./inbox";
import { ALERT_KINDS, type AlertKind, CARD_KINDS, type CardKind, type Severity, type Words } from "./kinds";
import { type Group, type ShownBatch, subjectOf, wordsOf } from "./words";

// What waits for a person, decided at read by each batch's own row: a hold, cancel, approval, release or
// finalization ends a card, or changes its words, when it commits, and writes nothing here.

/** Cards of each kind, most urgent first. The next ones come up as these are decided. */
const GROUPS_MAX = 1000;
/** Batches that are read for them: a payout has up to 5,000. */
const BATCHES_MAX = 20_000;
/** Batches that a card names. A larger payout is decided on its own page. */
const NAMED_MAX = 20;
/** A payout whose parts are just being stored is not stuck. */
const STORING_SECONDS = 60;

/** Of `batches b`, or of what they take back. Joined to the CTE, Citus would read every part there is. */
const WITH_PAYOUT = `left join payout_parts p
  on p.contract_address = b.contract_address and p.batch_seq = coalesce(b.reverses_seq, b.seq)`;

const READ = `b.contract_address, b.seq, b.id, b.finalize_at, b.created_at, b.point_type, b.points,
  b.transfer_count, b.reverses_seq, b.held_at, p.payout_id`;

/**
 * Groups batches by what one decision is about.
 * @param batches with the columns `READ`, and those of a card: `kind`, `severity`, `level`, `waits_since`
 * and, from when it is one, `joined_at`
 * @returns `isWhole`: whether these are all
 */
async function readGroups({ db: { sql } }: ServiceContext, batches: Fragment, groupsMax: number) {
  const first = sql`b.level, b.finalize_at, b.seq`;
  const rows = await sql<((Group | { kind: null }) & { read: number })[]>`
    with b as materialized (${batches} limit ${BATCHES_MAX}),
    grouped as (
      select b.kind, min(b.severity) as severity,
        min(b.waits_since) as "startedAt", max(b.joined_at) as "joinedAt",
        b.contract_address as contract, b.payout_id as "payoutId",
        b.reverses_seq is not null as "isReversal", bool_and(b.held_at is not null) as "isHeld",
        (array_agg(b.seq order by ${first}))[1]::text as seq,
        (array_agg(b.id order by ${first}))[1] as "batchId",
        (array_agg(b.id order by b.seq))[1:${NAMED_MAX}::int] as "batchIds", count(*)::int as "batchCount",
        case when count(distinct b.point_type) = 1 then sum(b.points)::text end as points,
        sum(b.transfer_count)::int as "transferCount", min(b.finalize_at) as "dueAt"
      from b
      group by b.kind, b.contract_address, b.payout_id, "isReversal",
        case when b.payout_id is null then b.seq end
      having b.kind <> 'payout' or max(b.created_at) < now() - make_interval(secs => ${STORING_SECONDS}::int)
      order by severity, "dueAt", seq limit ${groupsMax}
    )
    select g.*, n.read from (select count(*)::int as read from b) as n left join grouped g on true`;
  const groups = rows.flatMap(({ read: _, ...row }) =>
    row.kind === null ? [] : [withPoints(withTimes(row, "dueAt", "startedAt", "joinedAt"), "points")],
  );
  return { groups, isWhole: rows[0]!.read < BATCHES_MAX && groups.length < groupsMax };
}

/**
 * Batches that are very unusual first, then those due soonest, that can still be stopped. Reads the reviews
 * of batches due no earlier than the first pending one from an index, so none is hidden by those that came
 * after it. Submitted in the console, a batch's review was confirmed, so it is a warning at most. One that a
 * second person has approved is none.
 * @param except left out, since this person confirmed what they submitted
 */
export async function findUnusual(ctx: ServiceContext, groupsMax: number, except = "") {
  const { sql } = ctx.db;
  const [clock] = await sql<{ nextDueAt: string | null; now: string }[]>`
    select min(finalize_at) as "nextDueAt", now() as now from batches
    where status = 'PENDING' and held_at is null and not awaits_approval`;
  // Of the batches that nobody has stopped. In the past if it is due now.
  const { nextDueAt } = clock!;
  const times = withTimes(clock!, "nextDueAt", "now");
  if (nextDueAt === null) return { groups: [], isWhole: true, times };
  const batches = sql`
    select ${sql.unsafe(READ)}, 'batch' as kind, r.level, r.reviewed_at as waits_since,
      r.reviewed_at as joined_at,
      case when r.level = 'alarming' and b.submitted_by not like 'staff:%'
        then 'critical' else 'warning' end as severity
    from batch_reviews r join batches b on b.contract_address = r.contract_address and b.seq = r.batch_seq
      ${sql.unsafe(WITH_PAYOUT)}
    where r.due_at >= ${nextDueAt}::text::timestamptz
      and b.status = 'PENDING' and b.held_at is null and not b.awaits_approval and b.approved_at is null
      and b.submitted_by <> ${except}
    order by severity, b.finalize_at, b.seq`;
  return { ...(await readGroups(ctx, batches, groupsMax)), times };
}

/** A hold waits for nobody until its batch is past due, or for this long. */
const HELD_HOURS = 24;

/**
 * Batches that somebody must approve or release. Leaves out approvals that the person may not give, those
 * that a running review may spare, and holds that are the person's own or need nobody yet.
 */
async function findBlocked(ctx: ServiceContext, { isUnconfirmed, gaveAccessTo }: Standing) {
  const { sql } = ctx.db;
  const day = sql`make_interval(hours => ${HELD_HOURS}::int)`;
  const barred = sql`${[ctx.actor, ...gaveAccessTo]}::text[]`;
  const kind = sql`case when b.held_for_payout then 'payout'
    when b.awaits_approval and (b.approval_need <> 'REVIEW' or b.finalize_at <= now())
      and not ${isUnconfirmed}::boolean and b.submitted_by <> all(${barred})
      and coalesce(b.token_created_by <> all(${barred}), true) then 'approval'
    else 'hold' end`;
  const batches = sql`
    select b.*, case b.kind when 'approval' then b.created_at else b.held_at end as waits_since,
      case b.kind when 'hold' then least(greatest(b.finalize_at, b.held_at), b.held_at + ${day})
        else b.created_at end as joined_at,
      case when b.held_at is null and b.finalize_at <= now() then 'critical' else 'warning' end as severity
    from (
      select ${sql.unsafe(READ)}, b.held_by, null::text as level, ${kind} as kind
      from batches b ${sql.unsafe(WITH_PAYOUT)}
      where b.status = 'PENDING' and (b.held_at is not null or b.awaits_approval)
    ) as b
    where b.kind <> 'hold'
      or b.held_by <> ${ctx.actor} and (b.finalize_at <= now() or b.held_at <= now() - ${day})
    order by b.finalize_at, b.seq`;
  return await readGroups(ctx, batches, GROUPS_MAX);
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
        ${seqArray(groups)}::text::bigint[]) as given (contract, seq)
    )
    select b.seq::text, c.label, b.point_type as "pointType", b.points as total,
      b.submitted_by as "submittedBy", b.token_created_by as "tokenCreatedBy",
      b.held_by as "heldBy", b.hold_reason as "holdReason",
      o.id as reverses, r.findings as review, p.part_count as "partCount", p.file_name as "fileName"
    from wanted w join batches b on b.contract_address = w.contract and b.seq = w.seq
      join contracts c on c.address = b.contract_address
      left join batches o on o.contract_address = b.contract_address and o.seq = b.reverses_seq
      left join batch_reviews r on r.contract_address = b.contract_address and r.batch_seq = b.seq
      ${sql.unsafe(WITH_PAYOUT)}`;
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
  /** Whether the reader has. */
  isSeen: boolean;
  seenBy: { email: string; at: string }[];
  /** Null for an alert about the service or a contract. */
  batches: CardBatches | null;
  /** What a proposal changes. */
  change: ChangeWords | null;
}

export interface CardBatches extends Omit<Group, "contract" | "kind" | "severity" | "joinedAt">, ShownBatch {
  contractAddress: string;
}

/** A card without its words about batches, which are made only where they are shown. */
interface Place extends Pick<Card, "id" | "kind" | "severity" | "dueAt" | "startedAt"> {
  about: { of: "batches"; group: Group } | { of: "alert"; words: Pick<Card, keyof Words | "change"> };
}

function placeOfGroup(group: Group): Place {
  const { kind, severity, dueAt, startedAt } = group;
  const id = idOf(`${severity}/${kind}/${subjectOf(group)}`);
  return { id, kind, severity, dueAt, startedAt, about: { of: "batches", group } };
}

/** As `worstFirst`. */
function urgencyOf({ severity, kind, dueAt, startedAt }: Place): string {
  const isTimed = dueAt !== null && kind !== "hold";
  const rank = CARD_KINDS.indexOf(isTimed ? "batch" : kind);
  const isLate = dueAt !== null && Date.parse(dueAt) <= Date.now();
  return [severity, String(rank).padStart(2, "0"), Number(isLate), dueAt, startedAt].join(" ");
}

type Standing = Awaited<ReturnType<typeof standingOf>>;

/** What the caller may decide as a second admin. */
async function findProposed(ctx: ServiceContext, { role, isUnconfirmed, gaveAccessTo }: Standing) {
  if (role !== "admin" || isUnconfirmed) return [];
  const barred = [ctx.actor, ...gaveAccessTo];
  return (await findProposals(ctx))
    .filter(({ by }) => !by.some((person) => barred.includes(person)))
    .map(({ kind, severity, subject, startedAt, title, remedy, path, change }): Place => {
      const words = { title, remedy, path, change };
      const id = idOf(`${kind}/${subject}`);
      return { id, kind, severity, dueAt: null, startedAt, about: { of: "alert", words } };
    });
}

/** Alerts about the service and its contracts, of which there are few. The others are decided above. */
async function findAlerts({ db: { sql } }: ServiceContext, kinds: readonly AlertKind[]): Promise<Place[]> {
  const rows = await sql<(Omit<Place, "about"> & Words)[]>`
    select id, kind, severity, title, remedy, path, due_at as "dueAt", started_at as "startedAt"
    from alerts
    where ended_at is null and cleared_at is null and kind = any(${[...kinds]}::text[])
    order by ${worstFirst(sql)} limit ${GROUPS_MAX}`;
  return rows.map(({ title, remedy, path, ...row }) => ({
    ...withTimes(row, "dueAt", "startedAt"),
    about: { of: "alert", words: { title, remedy, path, change: null } },
  }));
}

const hasJoined = ({ about }: Place, since: string) => about.of === "batches" && since < about.group.joinedAt;

/** A card that somebody has seen comes back this long before it is due. */
const REMINDERS_MINUTES = [30, 10] as const;

/** Nor has anyone seen the batches that joined a payout since then. An unusual one was checked, for good. */
function wasSeen(place: Place, seenAt: string | undefined): boolean {
  if (seenAt === undefined || hasJoined(place, seenAt)) return false;
  const { kind, dueAt } = place;
  if (dueAt === null || kind === "hold" || kind === "batch") return true;
  const reminders = REMINDERS_MINUTES.map((minutes) => Date.parse(dueAt) - minutes * 60_000);
  return !reminders.some((at) => at <= Date.now() && at > Date.parse(seenAt));
}

async function findDecisions(ctx: ServiceContext, standing: Standing) {
  try {
    const unusual = await findUnusual(ctx, GROUPS_MAX, ctx.actor);
    const blocked = await findBlocked(ctx, standing);
    const overdueCount = await countOverdue(ctx, COUNTED_MAX);
    return { unusual, blocked, overdueCount, proposed: await findProposed(ctx, standing) };
  } catch (error) {
    // On Citus, the alert that says so is on the coordinator, and must not be hidden by what it is about.
    if (!workerFailure(error)) throw error;
    const none = { groups: [], isWhole: false, times: { nextDueAt: null, now: new Date().toISOString() } };
    return { unusual: none, blocked: none, overdueCount: 0, proposed: [] };
  }
}

/** What waits for the caller, most urgent first, and whether the list is complete. */
async function findPlaces(ctx: ServiceContext) {
  const standing = await standingOf(ctx.db.sql, ctx.actor);
  const { unusual, blocked, overdueCount, proposed } = await findDecisions(ctx, standing);
  const kinds = ALERT_KINDS.filter(
    (kind) =>
      kind !== "batch" &&
      kind !== "proposal" &&
      (kind !== "overdue" || overdueCount > 0) &&
      // If some were not read, an approval may be among them, but the alert about its contract is not.
      (kind !== "approval" || !blocked.isWhole),
  );
  const places = [
    ...[...unusual.groups, ...blocked.groups].map(placeOfGroup),
    ...proposed,
    ...(await findAlerts(ctx, kinds)),
  ];
  const views = await ctx.db.sql<{ id: string; at: string }[]>`
    select alert_id as id, seen_at as at from alert_views
    where seen_by = ${emailOf(ctx.actor)} and alert_id = any(${places.map(({ id }) => id)}::uuid[])`;
  const seen = new Map(views.map(({ id, at }) => [id, toTimestamp(at)]));
  const sorted = places
    .map((place) => ({ ...place, isSeen: wasSeen(place, seen.get(place.id)), urgency: urgencyOf(place) }))
    .sort(byUrgency);
  return { places: sorted, overdueCount, times: unusual.times, isWhole: unusual.isWhole && blocked.isWhole };
}

/** As many as the console shows. */
const COUNTED_MAX = 100;

type SortedPlace = Awaited<ReturnType<typeof findPlaces>>["places"][number];

const byUrgency = (one: { urgency: string }, other: { urgency: string }) =>
  one.urgency < other.urgency ? -1 : 1;

async function cardsOf(ctx: ServiceContext, places: readonly SortedPlace[]): Promise<Card[]> {
  const groups = places.flatMap(({ about }) => (about.of === "batches" ? [about.group] : []));
  const shown = await readShown(ctx, groups);
  const ids = places.map(({ id }) => id);
  const viewsOf = await readViews(ctx, ids);
  return places.flatMap((place): Card[] => {
    const { about, urgency: _, ...facts } = place;
    const seenBy = viewsOf(place.id).filter(({ at }) => wasSeen(place, at));
    if (about.of === "alert") return [{ ...facts, seenBy, ...about.words, batches: null }];
    const first = shown.get(about.group);
    if (!first) return [];
    const { contract, kind: __, severity: ___, joinedAt: ____, ...group } = about.group;
    const batches = { ...group, ...first, contractAddress: addressFromBytes(contract) };
    return [{ ...facts, seenBy, ...wordsOf(about.group, first), batches, change: null }];
  });
}

/** Of the cards that are seen, and of those that are not. */
const SHOWN_MAX = 50;

/** The cards of the Alerts screen. The next ones come up as these are decided. */
export async function readQueue(ctx: ServiceContext) {
  const { places, isWhole, times } = await findPlaces(ctx);
  const some = [true, false].flatMap((seen) =>
    places.filter(({ isSeen }) => isSeen === seen).slice(0, SHOWN_MAX),
  );
  // The count is of all cards; a minimum if not all batches were read.
  const cards = await cardsOf(ctx, some.sort(byUrgency));
  return { cards, count: places.length, isWhole, readAt: times.now };
}

export type QueueSummary = Awaited<ReturnType<typeof summarizeQueue>>;

/** What every page shows. */
export async function summarizeQueue(ctx: ServiceContext) {
  const { places, overdueCount, isWhole, times } = await findPlaces(ctx);
  const unseen = places.filter(({ isSeen }) => !isSeen);
  const [first = null] = await cardsOf(ctx, unseen.slice(0, 1));
  const isQuiet = isWhole && places.length + overdueCount === 0;
  return {
    first,
    unseenCount: unseen.length,
    /** Seen or not, as the critical ones below. */
    openCount: places.length,
    criticalCount: places.filter(({ severity }) => severity === "critical").length,
    overdueCount,
    /** Counted only if nothing needs the caller, since it may read each batch that is stopped. */
    stopped: isQuiet ? await countStopped(ctx, COUNTED_MAX) : null,
    /** Whether the numbers are exact. If not, they are minimums. */
    isWhole,
    ...times,
  };
}

/** Marks cards that are there as seen, or as not seen again. One that is seen keeps its time. */
export async function markSeen(ctx: ServiceContext, given: SeenInput): Promise<void> {
  const { cardIds, isSeen, readAt } = given;
  const { sql } = ctx.db;
  const email = emailOf(ctx.actor);
  const changed = (await findPlaces(ctx)).places.filter(
    (place) => place.isSeen !== isSeen && cardIds.includes(place.id) && !(readAt && hasJoined(place, readAt)),
  );
  const ids = changed.map(({ id }) => id);
  const change = isSeen
    ? sql`insert into alert_views (alert_id, seen_by)
        select id, ${email}::text from unnest(${ids}::uuid[]) as given (id)
        on conflict (alert_id, seen_by) do update set seen_at = excluded.seen_at`
    : sql`delete from alert_views where seen_by = ${email} and alert_id = any(${ids}::uuid[])`;
  const checked = changed.flatMap(({ kind, about }) => {
    if (kind !== "batch" || about.of !== "batches") return [];
    const { contract, batchId } = about.group;
    return auditTarget({ contractAddress: addressFromBytes(contract), batchId });
  });
  await sql`
    with changed as (${change})
    insert into audit_log (actor, action, target, request_id)
    select ${ctx.actor}, ${isSeen ? "batch.check" : "batch.uncheck"}, target, ${ctx.requestId}
    from unnest(${checked}::text[]) as given (target)`;
}
