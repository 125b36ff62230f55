import { clsx } from "clsx";
import { Flag, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { formatAmount, formatCount } from "@/app/ui/amount";
import { Badge } from "@/app/ui/badge";
import { Instant, useServerNow } from "@/app/ui/time";
import type { ConsoleBatch, PayoutOfBatch } from "@/server/batches/list/console-schema";
import type { ReversalState } from "@/server/kernel/batch-rows";
import type { BatchStatus } from "@/terms/batch-terms";
import { formatDuration } from "@/terms/output-text";
import type { Mark } from "./list-params";
import { type DueBatch, isOpen, markOf, STATUS_LOOKS } from "./status";

/** @param props.compact the mark takes the place of the status, which only screen readers get */
export function StatusBadge({ batch, compact }: { batch: DueBatch; compact?: boolean }) {
  const mark = markOf(batch, useServerNow());
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
      className={clsx(
        "inline-flex items-center gap-x-1 whitespace-nowrap font-medium text-label",
        // A word without space wraps onto a second line, which is not shown.
        compact ? "h-4 min-w-[13px] shrink-99 flex-wrap overflow-hidden" : "shrink-0",
        color,
      )}
    >
      <Icon size={13} strokeWidth={2.25} className="h-4 shrink-0" />
      {label}
    </span>
  );
}

/** Completes the sentence "It will be finalized …". */
export function WillBeFinalized({ batch }: { batch: DueBatch }) {
  const isDue = Date.parse(batch.finalizeAt) <= useServerNow();
  if (batch.heldAt) return <>once someone releases it</>;
  if (batch.awaitsApproval) return <>once someone approves it</>;
  return isDue ? <>any moment now</> : <Countdown batch={batch} lead="" />;
}

/** When it is due, or was. On hold, it has no such time. @param lead before "in 5 min" and "5 min ago" */
export function Countdown({ batch, lead }: { batch: DueBatch; lead: ReactNode }) {
  const nowMs = useServerNow();
  if (batch.heldAt) return <span className="text-muted">on hold</span>;
  const mark = markOf(batch, nowMs);
  const secondsLeft = Math.ceil((Date.parse(batch.finalizeAt) - nowMs) / 1000);
  const isPast = secondsLeft <= 0;
  const time = formatDuration(Math.abs(secondsLeft));
  const words = isPast ? (mark === "OVERDUE" ? `${time} overdue` : `${time} ago`) : `in ${time}`;
  return (
    <>
      <span
        className={clsx(
          "whitespace-nowrap tabular-nums print:hidden",
          isPast && mark && STATUS_LOOKS[mark].color,
        )}
      >
        {(!isPast || mark !== "OVERDUE") && lead}
        {words}
      </span>
      <Instant at={batch.finalizeAt} short className="not-print:hidden" />
    </>
  );
}

export const TAKEN_BACK = {
  PENDING: "To be taken back",
  FINALIZING: "To be taken back",
  FINALIZED: "Taken back",
  CANCELLED: "Not taken back",
} as const satisfies Record<BatchStatus, string>;

export function ReversalStatus({ reversal, children }: { reversal: ReversalState; children: ReactNode }) {
  const { status, finalizeAt, updatedAt } = reversal;
  return (
    <span className="inline-flex flex-wrap items-center gap-x-1.5 gap-y-0.5">
      <span className="wraps">
        {TAKEN_BACK[status]} by {children}
      </span>
      {isOpen(reversal) && <StatusBadge batch={reversal} />}
      <span className="hint tabular-nums">
        {isOpen(reversal) && "due "}
        <Instant at={isOpen(reversal) ? finalizeAt : (updatedAt ?? finalizeAt)} />
      </span>
    </span>
  );
}

const UNUSUAL_LOOKS = {
  unusual: { label: "Unusual", color: "text-overdue" },
  alarming: { label: "Very unusual", color: "text-danger" },
} as const;

/** What of a payout, or of a batch, is not paid, or no longer, although its status is another. */
export function PaidMarks({ isWhole = true, stored = 1, counts, takenBack = "0" }: Partial<PayoutOfBatch>) {
  const cancelled = counts?.cancelled ?? 0;
  const least = isWhole ? "" : "+";
  const words =
    (cancelled > 0 && cancelled < stored ? `· ${formatCount(cancelled)}${least} cancelled ` : "") +
    (takenBack === "0" ? "" : `· taken back ${formatAmount(takenBack)}${least}`);
  if (!words) return null;
  // They give way to the name.
  return (
    <span title={words} className="min-w-0 shrink-99 truncate hint">
      {words}
    </span>
  );
}

export function UnusualMark({ flag, compact }: Pick<ConsoleBatch, "flag"> & { compact?: boolean }) {
  if (flag === null) return null;
  return <MarkWords {...UNUSUAL_LOOKS[flag.level]} title={flag.why} icon={Flag} compact={compact} />;
}
