import { Flag, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { Badge } from "@/app/ui/badge";
import { classNames } from "@/app/ui/class-names";
import { Instant, useServerNow } from "@/app/ui/time";
import type { ConsoleBatch } from "@/server/batches/list/console-schema";
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
      className={classNames(
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
  const nowMs = useServerNow();
  if (!batch.heldAt && !batch.awaitsApproval && Date.parse(batch.finalizeAt) <= nowMs)
    return <>any moment now</>;
  return <Countdown batch={batch} />;
}

export function Countdown({ batch, lead }: { batch: DueBatch; lead?: ReactNode }) {
  const nowMs = useServerNow();
  const mark = markOf(batch, nowMs);
  const secondsLeft = Math.ceil((Date.parse(batch.finalizeAt) - nowMs) / 1000);
  const heldSeconds = batch.heldAt ? (nowMs - Date.parse(batch.heldAt)) / 1000 : 0;
  const marks = {
    HELD: `on hold ${formatDuration(heldSeconds)}`,
    AWAITING_APPROVAL: "awaiting approval",
    OVERDUE: `${formatDuration(-secondsLeft)} overdue`,
  } as const satisfies Record<Mark, string>;
  return (
    <span className={classNames("whitespace-nowrap tabular-nums", mark && STATUS_LOOKS[mark].color)}>
      {mark && marks[mark]}
      {!mark && secondsLeft > 0 && lead}
      {!mark && (secondsLeft > 0 ? `in ${formatDuration(secondsLeft)}` : "due now")}
    </span>
  );
}

/** In a list, whose badge says what stops the batch: when it is due, or was. */
export function DueTime({ batch }: { batch: DueBatch }) {
  const lead = <span className="md:hidden">due </span>;
  const isDue = Date.parse(batch.finalizeAt) <= useServerNow();
  const isStopped = batch.heldAt !== null || batch.awaitsApproval;
  if (!isOpen(batch) || (isStopped && isDue))
    return (
      <span className="text-muted">
        {lead}
        <Instant at={batch.finalizeAt} short />
      </span>
    );
  return (
    <>
      <span className="print:hidden">
        <Countdown batch={{ ...batch, heldAt: null, awaitsApproval: false }} lead={lead} />
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
      <StatusBadge batch={reversal} />
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

export function UnusualMark({ flag, compact }: Pick<ConsoleBatch, "flag"> & { compact?: boolean }) {
  if (flag === null) return null;
  return <MarkWords {...UNUSUAL_LOOKS[flag.level]} title={flag.why} icon={Flag} compact={compact} />;
}
