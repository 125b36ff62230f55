import { type BatchReview, isOdd, type Repeat, repeatWords } from "../batches/list/findings";
import type { ServiceContext } from "../kernel/context";
import { addressFromBytes } from "../kernel/values/addresses";
import { toTimestamp } from "../kernel/values/batch-rows";
import { minuteOf } from "./compose";
import type { Condition } from "./kinds";

/** Newest unusual batches considered. */
const NEWEST_MAX = 500;
/** Open alerts read at a time. */
const PAGE_ALERTS = 1000;

interface Candidate {
  address: Buffer;
  id: string;
  label: string;
  finalize_at: string;
}

/**
 * Unusual and alarming batches that are still pending: those found before, and new ones. Leaves out batches on hold, which
 * somebody has looked at, and those that await approval, which somebody has to look at.
 */
export async function batchConditions(ctx: ServiceContext): Promise<Condition[]> {
  const [known, reviewed] = await Promise.all([stillPending(ctx), recentlyReviewed(ctx)]);
  const subjects = new Set(known.map(({ subject }) => subject));
  const fresh = reviewed.filter((batch) => !subjects.has(subjectOf(batch)));
  return [...known, ...fresh.map((batch) => conditionOf(batch, batch.review))];
}

const subjectOf = ({ address, id }: Pick<Candidate, "address" | "id">) =>
  `${addressFromBytes(address)}/${id}`;

/** All open alerts whose batches can still be stopped. */
async function stillPending(ctx: ServiceContext): Promise<Condition[]> {
  const pending: Condition[] = [];
  let open: Condition[] = [];
  do {
    open = await ctx.db.sql<Condition[]>`
      select kind, subject, severity, title, remedy, path from alerts
      where kind = 'batch' and ended_at is null and subject > ${open.at(-1)?.subject ?? ""}
      order by subject limit ${PAGE_ALERTS}`;
    pending.push(...(await pendingOf(ctx, open)));
  } while (open.length === PAGE_ALERTS);
  return pending;
}

async function pendingOf({ db: { sql } }: ServiceContext, open: Condition[]): Promise<Condition[]> {
  const keys = open.map(({ subject }) => subject.split("/") as [string, string]);
  if (keys.length === 0) return [];
  const rows = await sql<Pick<Candidate, "address" | "id" | "finalize_at">[]>`
    with wanted as materialized (
      select distinct decode(contract, 'hex') as contract, id
      from unnest(${keys.map(([address]) => address.slice(2))}::text[], ${keys.map(([, id]) => id)}::text[]) as given (contract, id)
    )
    select b.contract_address as address, b.id, b.finalize_at
    from wanted w join batches b on b.contract_address = w.contract and b.id = w.id
    where b.status = 'PENDING' and b.held_at is null and not b.awaits_approval`;
  const dues = new Map(rows.map((row) => [subjectOf(row), toTimestamp(row.finalize_at)]));
  return open.flatMap((alert) => {
    const dueAt = dues.get(alert.subject);
    return dueAt ? [{ ...alert, dueAt }] : [];
  });
}

/** Pending batches whose stored review found something unusual. New recipients alone do not count: every contract has such days. */
async function recentlyReviewed({
  db: { sql },
}: ServiceContext): Promise<(Candidate & { review: BatchReview })[]> {
  const reviewed = await sql<(Candidate & { review: BatchReview })[]>`
    with newest as materialized (
      select contract_address, batch_seq, findings from batch_reviews order by created_at desc, batch_seq desc limit ${NEWEST_MAX}
    )
    select b.contract_address as address, b.id, b.finalize_at, c.label, n.findings as review
    from newest n
    join batches b on b.contract_address = n.contract_address and b.seq = n.batch_seq
    join contracts c on c.address = b.contract_address
    where b.status = 'PENDING' and b.held_at is null and not b.awaits_approval`;
  return reviewed.filter(({ review: { total, largestTransfer, repeats, share } }) =>
    [total, largestTransfer, repeats, share].some((finding) => finding && isOdd(finding.level)),
  );
}

function conditionOf(batch: Candidate, review: BatchReview): Condition {
  const dueAt = toTimestamp(batch.finalize_at);
  return {
    kind: "batch",
    subject: subjectOf(batch),
    severity: review.level === "alarming" ? "critical" : "warning",
    title: `${review.level === "alarming" ? "Very unusual" : "Unusual"} batch of ${batch.label}: ${batch.id}`,
    remedy: `${reasonsOf(review).join(" ")} It is due at ${minuteOf(dueAt)} UTC. Review it before then: operators can put it on hold or cancel it.`,
    path: `/batches/${addressFromBytes(batch.address)}/${encodeURIComponent(batch.id)}`,
    dueAt,
  };
}

function reasonsOf({ total, largestTransfer, repeats, recipients, share }: BatchReview): string[] {
  const times = (count: string | null) => (count === null ? "far more than" : `${count} times`);
  return [
    isOdd(total.level) && `Its total is ${times(total.times)} the usual.`,
    isOdd(largestTransfer.level) && `Its largest transfer is ${times(largestTransfer.times)} the usual.`,
    isOdd(repeats.level) && repeatReason(repeats.batches[0]!, recipients.total),
    isOdd(recipients.level) && `${recipients.percent}% of its recipients are new.`,
    share && isOdd(share.level) && `It takes ${share.percent}% of the contract's points.`,
  ].filter((reason) => typeof reason === "string");
}

function repeatReason(repeat: Repeat, total: number): string {
  const { before, after } = repeatWords(repeat, total);
  return `${before}${repeat.id}${after}.`;
}
