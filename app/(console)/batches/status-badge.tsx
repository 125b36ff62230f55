"use client";
import { Flag, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { formatAmount, formatCount } from "@/app/ui/amount";
import { Badge } from "@/app/ui/badge";
import { classNames } from "@/app/ui/class-names";
import { formatDuration } from "@/app/ui/format-time";
import { Instant, useServerNow } from "@/app/ui/time";
import type { ReversalState } from "@/server/kernel/batch-rows";
import type { BatchStatus } from "@/terms/batch-terms";
import {
  type BatchReview,
  type ComparedAmount,
  isOdd,
  type Level,
  repeatWords,
  type Usual,
} from "@/terms/findings";
import type { Mark } from "./list-params";
import { type DueBatch, isOpen, markOf, STATUS_LOOKS } from "./status";

interface DueProps {
  batch: DueBatch;
  /** The server's clock at the first paint. */
  asOf: string;
}

/** @param props.compact the mark takes the place of the status, which only screen readers get */
export function StatusBadge({ batch, asOf, compact }: DueProps & { compact?: boolean }) {
  const mark = markOf(batch, useServerNow(asOf));
  const { label, tone, icon } = STATUS_LOOKS[batch.status];
  if (compact && mark) {
    return (
      <span title={`${label}. ${MARK_TITLES[mark]}`} className="inline-flex shrink-0 align-middle">
        <span className="sr-only">{label}</span>
        <Badge {...STATUS_LOOKS[mark]} />
      </span>
    );
  }
  return (
    <span className="inline-flex items-center gap-1.5 align-middle">
      <Badge tone={tone} icon={icon} spin={batch.status === "FINALIZING"} label={label} />
      {mark && <MarkWords {...STATUS_LOOKS[mark]} title={MARK_TITLES[mark]} />}
    </span>
  );
}

export const MARK_TITLES = {
  OVERDUE: "Overdue: past its due time and not finalized",
  HELD: "On hold: not finalized until staff release it",
  AWAITING_APPROVAL: "Awaiting approval: not finalized until a second person approves it",
} as const satisfies Record<Mark, string>;

interface MarkWordsProps {
  title: string;
  icon: LucideIcon;
  color: string;
  /** Only the icon, where there is no space for the word too. */
  compact?: boolean;
  label: string;
}

function MarkWords({ title, icon: Icon, color, compact, label }: MarkWordsProps) {
  return (
    <span
      title={title}
      className={classNames(
        "inline-flex items-center gap-x-1 whitespace-nowrap font-medium text-label",
        // A word without space wraps onto a second line, which is not shown.
        compact ? "h-4 min-w-[13px] flex-wrap overflow-hidden" : "shrink-0",
        color,
      )}
    >
      <Icon size={13} strokeWidth={2.25} className="h-4 shrink-0" />
      {label}
    </span>
  );
}

/** Completes the sentence "It will be finalized …". */
export function WillBeFinalized({ batch, asOf }: DueProps) {
  const nowMs = useServerNow(asOf);
  if (!batch.heldAt && !batch.awaitsApproval && Date.parse(batch.finalizeAt) <= nowMs)
    return <>any moment now</>;
  return <Countdown batch={batch} asOf={asOf} />;
}

export function Countdown({ batch, asOf, lead = "" }: DueProps & { lead?: string }) {
  const nowMs = useServerNow(asOf);
  const mark = markOf(batch, nowMs);
  const secondsLeft = Math.ceil((Date.parse(batch.finalizeAt) - nowMs) / 1000);
  const heldSeconds = batch.heldAt ? (nowMs - Date.parse(batch.heldAt)) / 1000 : 0;
  const marks = {
    HELD: `on hold ${formatDuration(heldSeconds)}`,
    AWAITING_APPROVAL: "awaiting approval",
    OVERDUE: `${formatDuration(-secondsLeft)} overdue`,
  } as const satisfies Record<Mark, string>;
  const due = secondsLeft > 0 ? `${lead}in ${formatDuration(secondsLeft)}` : "due now";
  return (
    <span className={classNames("whitespace-nowrap tabular-nums", mark && STATUS_LOOKS[mark].color)}>
      {mark ? marks[mark] : due}
    </span>
  );
}

/** In a list, whose badge says what stops the batch: when it is due, or was. */
export function DueTime({ batch, asOf, lead = "" }: DueProps & { lead?: string }) {
  const isDue = Date.parse(batch.finalizeAt) <= useServerNow(asOf);
  const isStopped = batch.heldAt !== null || batch.awaitsApproval;
  if (!isOpen(batch) || (isStopped && isDue))
    return (
      <span className="text-muted">
        {lead}
        <Instant at={batch.finalizeAt} asOf={asOf} />
      </span>
    );
  return (
    <>
      <span className="print:hidden">
        <Countdown batch={{ ...batch, heldAt: null, awaitsApproval: false }} asOf={asOf} lead={lead} />
      </span>
      <Instant at={batch.finalizeAt} asOf={asOf} className="not-print:hidden" />
    </>
  );
}

export const TAKEN_BACK = {
  PENDING: "To be taken back",
  FINALIZING: "To be taken back",
  FINALIZED: "Taken back",
  CANCELLED: "Not taken back",
} as const satisfies Record<BatchStatus, string>;

interface ReversalStatusProps {
  reversal: ReversalState;
  asOf: string;
  children: ReactNode;
}

export function ReversalStatus({ reversal, asOf, children }: ReversalStatusProps) {
  const { status, finalizeAt, updatedAt } = reversal;
  return (
    <span className="inline-flex flex-wrap items-center gap-x-1.5 gap-y-0.5">
      <span className="wraps">
        {TAKEN_BACK[status]} by {children}
      </span>
      <StatusBadge batch={reversal} asOf={asOf} />
      <span className="hint tabular-nums">
        {isOpen(reversal) && "due "}
        <Instant at={isOpen(reversal) ? finalizeAt : (updatedAt ?? finalizeAt)} />
      </span>
    </span>
  );
}

type Recipients = Omit<BatchReview["recipients"], "level">;

export function recipientSummary({ total, new: fresh, percent }: Recipients): string {
  if (total === 1 && fresh === 1) return "The recipient is new to this contract.";
  if (total === 1) return "This contract has paid the recipient before.";
  const all = formatCount(total);
  if (fresh === 0) return `This contract has paid all ${all} recipients before.`;
  if (fresh === total) return `All ${all} recipients are new to this contract.`;
  return (
    `${formatCount(fresh)} of ${all} recipients (${percent < 1 ? "less than 1" : percent}%) ` +
    `${fresh === 1 ? "is" : "are"} new to this contract.`
  );
}

function amountSummary(what: string, { points, usual, times, level, isRecord }: ComparedAmount): string {
  const is = `${what} is ${formatAmount(points)}`;
  if (isOdd(level))
    return `${is}, ${times === null ? "far more than" : `${formatAmount(times)} times`} the usual.`;
  if (level === "expected") return `${is}, as usual.`;
  return usual ? `${is}, ${isRecord ? "larger than ever before" : "larger than usual"}.` : `${is}.`;
}

interface Finding {
  level: Level;
  text: string;
  usual?: Usual | null;
}

/** All but what it repeats. */
export function findingsOf({ total, largestTransfer, recipients, share }: BatchReview): Finding[] {
  return [
    { ...total, text: amountSummary("The total", total) },
    { ...largestTransfer, text: amountSummary("The largest transfer", largestTransfer) },
    { ...recipients, text: recipientSummary(recipients) },
    ...(share
      ? [{ ...share, text: `It uses ${share.percent}% of the balance that the contract had available.` }]
      : []),
  ];
}

/** Of the batches that it repeats, the cancelled one matters most. */
function repeatSummary({ repeats: { batches }, recipients }: BatchReview): string {
  const first =
    batches.find(({ isCorrected }) => isCorrected) ??
    batches.find(({ status }) => status === "CANCELLED") ??
    batches[0];
  if (!first) return "";
  const kind = first.isCorrected || first.status === "CANCELLED" ? "the cancelled batch " : "";
  const ending = first.isCorrected ? ", which it corrects." : ".";
  return `${repeatWords(first, recipients.total)}${kind}${first.id}${ending}`;
}

export const whyUnusual = (review: BatchReview): string =>
  [{ level: review.repeats.level, text: repeatSummary(review) }, ...findingsOf(review)]
    .filter(({ level }) => isOdd(level))
    .map(({ text }) => text)
    .join(" ");

const UNUSUAL_LOOKS = {
  unusual: { label: "Unusual", color: "text-overdue" },
  alarming: { label: "Very unusual", color: "text-danger" },
} as const;

export function UnusualMark({ review, compact }: { review: BatchReview | null; compact?: boolean }) {
  if (review?.level !== "unusual" && review?.level !== "alarming") return null;
  return (
    <MarkWords {...UNUSUAL_LOOKS[review.level]} title={whyUnusual(review)} icon={Flag} compact={compact} />
  );
}
