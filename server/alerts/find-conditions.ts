import { addressFromBytes } from "@/server/kernel/address-bytes";
import { toTimestamp } from "@/server/kernel/batch-rows";
import type { ServiceContext } from "@/server/kernel/context";
import { inPace, PACE_DAYS } from "@/server/ledger/pace";
import { listRuns, readSelfCheck, readState } from "@/server/operations/read-state";
import { conditionsOf, type ServiceCondition } from "@/server/operations/service-conditions";
import { type PointType, unitOfType } from "@/terms/batch-terms";
import { formatAmount } from "@/terms/output-text";
import { shortestPoints } from "@/terms/points";
import { type Condition, FOUND_MAX } from "./kinds";
import { findUnusual, readShown } from "./queue";
import { type Group, minuteOf, stopWords, subjectOf, wordsOf } from "./words";

const PATHS = {
  tick: "/operations",
  overdue: "/batches?status=OVERDUE",
  run: "/operations?runs=failed",
  index: "/operations",
  check: "/operations",
} as const satisfies Record<ServiceCondition["kind"], string>;

const CRITICAL: readonly ServiceCondition["kind" | "cause"][] = ["tick", "overdue", "unbalanced"];

export async function serviceConditions(ctx: ServiceContext): Promise<Condition[]> {
  const [state, check, runs] = await Promise.all([
    readState(ctx),
    readSelfCheck(ctx),
    listRuns(ctx, { failedOnly: false }),
  ]);
  const found = conditionsOf({ state, check, lastRun: runs[0], nowMs: Date.now() });
  const conditions: Condition[] = found.map(({ kind, cause, title, remedy }) => ({
    kind,
    // Each result has its own alert: an imbalance is sent even while one about an unfinished check is open.
    subject: cause ?? "",
    severity: CRITICAL.includes(cause ?? kind) ? "critical" : "warning",
    title,
    remedy,
    path: PATHS[kind],
  }));
  const isUnknown = found.some(({ kind, cause }) => kind === "check" && cause !== "unbalanced");
  return isUnknown ? [...conditions, ...(await openImbalance(ctx))] : conditions;
}

/** An imbalance lasts until a check finds the ledger in balance, not until a check fails to finish. */
const openImbalance = ({ db: { sql } }: ServiceContext) => sql<Condition[]>`
  select kind, subject, severity, title, remedy, path from alerts
  where kind = 'check' and subject = 'unbalanced' and ended_at is null`;

/** Unusual batches that are compared with the open alerts at each look. */
const UNUSUAL_MAX = 20_000;

/** One for each payout. What an open alert says stays as it is; the next look describes what is left. */
export async function batchConditions(ctx: ServiceContext): Promise<Condition[]> {
  const { groups: found } = await findUnusual(ctx, UNUSUAL_MAX);
  const open = await ctx.db.sql<Condition[]>`
    select kind, subject, severity, title, remedy, path, due_at as "dueAt" from alerts
    where kind = 'batch' and ended_at is null`;
  const known = new Map(open.map((alert) => [alert.subject, alert]));
  const isKnown = (group: Group) => known.get(subjectOf(group))?.severity === group.severity;
  const news = found.filter((group) => !isKnown(group)).slice(0, FOUND_MAX);
  const shown = await readShown(ctx, news);
  return [
    ...found.flatMap((group) => (isKnown(group) ? known.get(subjectOf(group))! : [])),
    ...[...shown].map(([group, first]): Condition => {
      const { severity, startedAt, dueAt } = group;
      const words = wordsOf(group, first);
      const remedy = `${words.remedy} ${stopWords(group)}`;
      return { kind: "batch", subject: subjectOf(group), severity, startedAt, dueAt, ...words, remedy };
    }),
  ];
}

/**
 * Leaves out batches under review, which takes only seconds. One on hold is never late: somebody stopped it.
 * Reads every batch that awaits approval: a bound would let one contract's hide those of another.
 */
export async function approvalConditions({ db: { sql } }: ServiceContext): Promise<Condition[]> {
  const rows = await sql<{ address: Buffer; label: string; first_due: string; is_late: boolean }[]>`
    with first as materialized (
      select contract_address, min(finalize_at) as first_due,
        bool_or(held_at is null and finalize_at <= now()) as is_late
      from batches
      where status = 'PENDING' and awaits_approval and not held_for_payout
        and (approval_need <> 'REVIEW' or finalize_at <= now())
      group by contract_address order by first_due limit ${FOUND_MAX}
    )
    select c.address, c.label, f.first_due, f.is_late
    from first f join contracts c on c.address = f.contract_address`;
  return rows.map(({ address, label, first_due, is_late: isLate }) => {
    const contract = addressFromBytes(address);
    const dueAt = toTimestamp(first_due);
    const is = Date.parse(dueAt) <= Date.now() ? "was" : "is";
    const late = isLate ? ", and is not finalized until it is approved" : "";
    const due = `The first ${is} due at ${minuteOf(dueAt)} UTC${late}.`;
    return {
      kind: "approval",
      subject: contract,
      severity: isLate ? "critical" : "warning",
      title: `Batches of ${label} await approval`,
      remedy: `${due} Operators and admins can approve or reject batches that they did not submit.`,
      path: `/batches?status=AWAITING_APPROVAL&contract=${contract}&sort=DUE`,
      dueAt,
    };
  });
}

/** A contract is low on points when they last for fewer days than this at its current pace. */
const DAYS_LEFT_MIN = 3;

interface LowRow {
  address: Buffer;
  label: string;
  point_type: PointType;
  available: string;
  per_day: string;
  days: string;
}

const shown = (amount: string) => formatAmount(shortestPoints(amount));

/**
 * What pending batches have reserved counts as sent. Reads recent batches only of contracts that have sent
 * enough to be low, and of all of these: many have spent everything and send nothing any more.
 */
export async function pointsConditions({ db: { sql } }: ServiceContext): Promise<Condition[]> {
  const rows = await sql<LowRow[]>`
    with low as materialized (
      select c.address, c.label, a.point_type, a.earned + a.received - a.sent - a.pending as available
      from contracts c join accounts a on a.address = c.address
      where c.issuance = 'PREFUNDED'
        and (a.earned + a.received - a.sent - a.pending) * ${PACE_DAYS}::int
          < (a.sent + a.pending) * ${DAYS_LEFT_MIN}::int
    ), pace as materialized (
      select b.contract_address, b.point_type, sum(b.points) / ${PACE_DAYS}::int as per_day
      from low l join batches b on b.contract_address = l.address and b.point_type = l.point_type
      where ${inPace(sql, sql`now()`)}
      group by 1, 2
    )
    select l.address, l.label, l.point_type, l.available, round(p.per_day, 2)::text as per_day,
      trunc(l.available / p.per_day, 1)::text as days
    from low l join pace p on p.contract_address = l.address and p.point_type = l.point_type
    where l.available < p.per_day * ${DAYS_LEFT_MIN}::int
    order by l.available / p.per_day limit ${FOUND_MAX}`;
  return rows.map(({ address, label, point_type: type, available, per_day: perDay, days }) => ({
    kind: "points",
    subject: `${addressFromBytes(address)}/${type}`,
    severity: "warning",
    title: `${label} is running out of ${unitOfType(type)}`,
    remedy:
      `${shown(available)} ${unitOfType(type)} are available. In the last ${PACE_DAYS} days it submitted ` +
      `${shown(perDay)} a day on average, so they will last ${days} days, less than ${DAYS_LEFT_MIN}. ` +
      "Admins can grant more on the contract's page.",
    path: `/contracts/${addressFromBytes(address)}`,
  }));
}

/** The alert ends after this long, even if nobody has enabled or deleted the endpoint. */
const DAYS_MAX = 7;

/** Webhook endpoints that the service has disabled. Those that staff disabled are meant to be off. */
export async function webhookConditions({ db: { sql } }: ServiceContext): Promise<Condition[]> {
  const rows = await sql<{ address: Buffer; id: string; url: string; reason: string; label: string }[]>`
    select e.contract_address as address, e.id, e.url, e.disabled_reason as reason, c.label
    from webhook_endpoints e join contracts c on c.address = e.contract_address
    where e.disabled_reason in ('failures', 'gone')
      and e.disabled_at > now() - make_interval(days => ${DAYS_MAX}::int)
    order by e.disabled_at desc limit ${FOUND_MAX}`;
  return rows.map(({ address, id, url, reason, label }) => ({
    kind: "webhook",
    subject: id,
    severity: "warning",
    title: `A webhook of ${label} is disabled`,
    // Only the host: some receivers have a secret in the path.
    remedy:
      `It ${reason === "gone" ? "responded with 410 Gone" : "failed for 5 days"}. ` +
      `The endpoint on ${new URL(url).host} receives no events. Operators can ` +
      "enable it on the contract's webhooks page after its receiver is fixed, or delete it.",
    path: `/contracts/${addressFromBytes(address)}/webhooks`,
  }));
}
