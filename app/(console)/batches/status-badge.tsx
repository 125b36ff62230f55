"use client";
import { Badge } from "../../ui/badge";
import { classNames } from "../../ui/class-names";
import { formatDuration } from "../../ui/duration";
import { useServerNow } from "../../ui/server-clock";
import type { KindOfOpen } from "./list-params";
import { isOverdue, STATUS_LOOKS, shownStatus } from "./status";

interface DueProps {
  batch: Parameters<typeof shownStatus>[0];
  /** The server's clock at the first paint. */
  asOf: string;
}

/** The status under its API name, with a mark next to it when the batch is overdue or on hold. */
export function StatusBadge({ batch, asOf, compact }: DueProps & { compact?: boolean }) {
  const { state, mark } = shownStatus(batch, useServerNow(asOf));
  const { label, tone, icon } = STATUS_LOOKS[state];
  return (
    <span className={classNames("inline-flex items-center align-middle", compact ? "gap-1" : "gap-1.5")}>
      <Badge tone={tone} icon={icon} spin={state === "FINALIZING"}>
        {label}
      </Badge>
      {mark && <Mark kind={mark} compact={compact} />}
    </span>
  );
}

const MARKS = {
  OVERDUE: { color: "text-overdue", title: "Overdue: past its due time and not finalized" },
  HELD: { color: "text-held", title: "On hold: not finalized until staff release it" },
  AWAITING_APPROVAL: {
    color: "text-held",
    title: "Awaiting approval: not finalized until a second person approves it",
  },
} as const satisfies Record<KindOfOpen, { color: string; title: string }>;

/** Icon only in a table row, where the Due column has the text. */
function Mark({ kind, compact }: { kind: KindOfOpen; compact: boolean | undefined }) {
  const { label, icon: Icon } = STATUS_LOOKS[kind];
  const { color, title } = MARKS[kind];
  return (
    <span
      title={title}
      className={classNames("inline-flex items-center gap-1 whitespace-nowrap font-medium text-label", color)}
    >
      <Icon aria-hidden size={13} strokeWidth={2.25} className="shrink-0" />
      <span className={compact ? "sr-only" : undefined}>{label}</span>
    </span>
  );
}

export function NextDue({ at, asOf }: { at: string; asOf: string }) {
  return Date.parse(at) <= useServerNow(asOf) ? (
    <span className="text-overdue">now</span>
  ) : (
    <Countdown
      batch={{ status: "PENDING", finalizeAt: at, heldAt: null, awaitsApproval: false }}
      asOf={asOf}
    />
  );
}

/** Completes the sentence "It will be finalized …". */
export function WillBeFinalized({ batch, asOf }: DueProps) {
  const nowMs = useServerNow(asOf);
  if (!batch.heldAt && !batch.awaitsApproval && Date.parse(batch.finalizeAt) <= nowMs)
    return <>any moment now</>;
  return <Countdown batch={batch} asOf={asOf} />;
}

/** By the server's clock. */
export function Countdown({ batch, asOf, lead = "" }: DueProps & { lead?: string }) {
  const nowMs = useServerNow(asOf);
  if (batch.heldAt) {
    const heldSeconds = (nowMs - Date.parse(batch.heldAt)) / 1000;
    return (
      <span className="whitespace-nowrap text-held tabular-nums">
        on hold for {formatDuration(heldSeconds)}
      </span>
    );
  }
  if (batch.awaitsApproval) return <span className="whitespace-nowrap text-held">awaits approval</span>;
  const secondsLeft = Math.ceil((Date.parse(batch.finalizeAt) - nowMs) / 1000);
  if (isOverdue(batch, nowMs)) {
    return (
      <span className="whitespace-nowrap text-overdue tabular-nums">
        {formatDuration(-secondsLeft)} overdue
      </span>
    );
  }
  return (
    <span className="whitespace-nowrap tabular-nums">
      {secondsLeft > 0 ? `${lead}in ${formatDuration(secondsLeft)}` : "due now"}
    </span>
  );
}
