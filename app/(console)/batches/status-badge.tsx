"use client";
import { LoaderCircle } from "lucide-react";
import { Badge } from "../../ui/badge";
import { formatDuration } from "../../ui/duration";
import { useServerNow } from "../../ui/server-clock";
import { isLate, STATUS_LOOKS, shownStatus } from "./status";

interface DueProps {
  batch: Parameters<typeof shownStatus>[0];
  /** The server's clock at the first paint. */
  asOf: string;
}

export function StatusBadge({ batch, asOf }: DueProps) {
  const status = shownStatus(batch, useServerNow(asOf));
  const { word, tone, icon } = STATUS_LOOKS[status];
  return (
    <Badge tone={tone} icon={icon} spin={status === "FINALIZING"}>
      {word}
    </Badge>
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
      <span className="whitespace-nowrap text-overdue tabular-nums">
        {formatDuration(-secondsLeft)} late
        {batch.status === "FINALIZING" && <ClaimedMark />}
      </span>
    );
  }
  return (
    <span className="whitespace-nowrap tabular-nums">
      {secondsLeft > 0 ? `${lead}in ${formatDuration(secondsLeft)}` : "due now"}
    </span>
  );
}

/** A late batch says whether it is being finalized: there is no room for the words in a row. */
function ClaimedMark() {
  return (
    <span
      title="Being finalized: claimed by a finalizer"
      className="ml-1.5 inline-block align-[-2px] text-finalizing"
    >
      <LoaderCircle aria-hidden size={12} className="animate-spin" />
      <span className="sr-only">, being finalized</span>
    </span>
  );
}
