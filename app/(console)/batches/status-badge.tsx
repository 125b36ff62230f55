"use client";
import { Badge } from "../../ui/badge";
import { classNames } from "../../ui/class-names";
import { formatDuration } from "../../ui/duration";
import { useServerNow } from "../../ui/server-clock";
import type { KindOfOpen } from "./list-params";
import { isLate, STATUS_LOOKS, shownStatus } from "./status";

interface DueProps {
  batch: Parameters<typeof shownStatus>[0];
  /** The server's clock at the first paint. */
  asOf: string;
}

/** The state of a batch, as the filters and the API name it, and beside it whether it is late or held. */
export function StatusBadge({ batch, asOf, compact }: DueProps & { compact?: boolean }) {
  const { state, mark } = shownStatus(batch, useServerNow(asOf));
  const { word, tone, icon } = STATUS_LOOKS[state];
  return (
    <span className={classNames("inline-flex items-center align-middle", compact ? "gap-1" : "gap-1.5")}>
      <Badge tone={tone} icon={icon} spin={state === "FINALIZING"}>
        {word}
      </Badge>
      {mark && <Mark kind={mark} compact={compact} />}
    </span>
  );
}

const MARKS = {
  OVERDUE: { color: "text-overdue", title: "Overdue: its due time is past and it is not finalized" },
  HELD: { color: "text-held", title: "On hold: staff keep it from being finalized" },
} as const satisfies Record<KindOfOpen, { color: string; title: string }>;

/** In a row its words stand in the column of what is due. */
function Mark({ kind, compact }: { kind: KindOfOpen; compact: boolean | undefined }) {
  const { word, icon: Icon } = STATUS_LOOKS[kind];
  const { color, title } = MARKS[kind];
  return (
    <span
      title={title}
      className={classNames("inline-flex items-center gap-1 whitespace-nowrap font-medium text-label", color)}
    >
      <Icon aria-hidden size={13} strokeWidth={2.25} className="shrink-0" />
      <span className={compact ? "sr-only" : undefined}>{word}</span>
    </span>
  );
}

/** How long until an instant at which something is due, or that it is past. */
export function NextDue({ at, asOf }: { at: string; asOf: string }) {
  return Date.parse(at) <= useServerNow(asOf) ? (
    <span className="text-overdue">now</span>
  ) : (
    <Countdown batch={{ status: "PENDING", finalizeAt: at, heldAt: null }} asOf={asOf} />
  );
}

/** When a PENDING batch will be finalized, to be read on in a sentence. */
export function WillBeFinalized({ batch, asOf }: DueProps) {
  const nowMs = useServerNow(asOf);
  if (!batch.heldAt && Date.parse(batch.finalizeAt) <= nowMs) return <>at any moment: it is due</>;
  return <Countdown batch={batch} asOf={asOf} />;
}

/** Time left until an open batch is due, or how late it is, by the server's clock. */
export function Countdown({ batch, asOf, lead = "" }: DueProps & { lead?: string }) {
  const nowMs = useServerNow(asOf);
  if (batch.heldAt) {
    const heldSeconds = (nowMs - Date.parse(batch.heldAt)) / 1000;
    return (
      <span className="whitespace-nowrap text-held tabular-nums">held for {formatDuration(heldSeconds)}</span>
    );
  }
  const secondsLeft = Math.ceil((Date.parse(batch.finalizeAt) - nowMs) / 1000);
  if (isLate(batch, nowMs)) {
    return (
      <span className="whitespace-nowrap text-overdue tabular-nums">{formatDuration(-secondsLeft)} late</span>
    );
  }
  return (
    <span className="whitespace-nowrap tabular-nums">
      {secondsLeft > 0 ? `${lead}in ${formatDuration(secondsLeft)}` : "due now"}
    </span>
  );
}
