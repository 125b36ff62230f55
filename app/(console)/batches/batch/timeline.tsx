"use client";
import type { ConsoleBatchDetail, TimelineEntry } from "@/server/batches/list/console-schema";
import { CopyButton } from "../../../ui/copy-button";
import { Instant } from "../../../ui/instant";
import { useServerNow } from "../../../ui/server-clock";
import { isOpen, STATUS_LOOKS } from "../status";
import { Countdown, WillBeFinalized } from "../status-badge";
import { Section } from "./section";

const EVENTS = {
  created: { label: "Submitted", look: STATUS_LOOKS.PENDING, color: "text-pending" },
  held: { label: "Put on hold", look: STATUS_LOOKS.HELD, color: "text-held" },
  released: { label: "Released", look: STATUS_LOOKS.PENDING, color: "text-pending" },
  claimed: { label: "Claimed by a finalizer", look: STATUS_LOOKS.FINALIZING, color: "text-finalizing" },
  finalized: {
    label: "Finalized, recipients credited",
    look: STATUS_LOOKS.FINALIZED,
    color: "text-finalized",
  },
  cancelled: { label: "Cancelled, points returned", look: STATUS_LOOKS.CANCELLED, color: "text-cancelled" },
} as const satisfies Record<TimelineEntry["event"], unknown>;

export function Timeline({ batch }: { batch: ConsoleBatchDetail }) {
  return (
    <Section title="Timeline">
      <ol className="flex flex-col rounded-card border border-line bg-surface px-4 py-3">
        {batch.timeline.map((entry) => (
          <Entry key={`${entry.event}${entry.at}`} entry={entry} />
        ))}
        {isOpen(batch) && (
          <li className="flex gap-3 text-table">
            <span
              aria-hidden
              className="mx-[3px] mt-1.5 size-2 shrink-0 rounded-full border border-input-line"
            />
            <span className="text-muted">
              <WhatIsNext batch={batch} />
            </span>
          </li>
        )}
      </ol>
    </Section>
  );
}

function WhatIsNext({ batch }: { batch: ConsoleBatchDetail }) {
  if (batch.status === "FINALIZING") return <ClaimStatus batch={batch} />;
  if (batch.heldAt)
    return (
      <>
        Currently <Countdown batch={batch} asOf={batch.now} />
      </>
    );
  return (
    <>
      Will be finalized <WillBeFinalized batch={batch} asOf={batch.now} />
    </>
  );
}

/** After the lease has expired, any finalizer may take over the batch. */
function ClaimStatus({ batch: { leaseUntil, now } }: { batch: ConsoleBatchDetail }) {
  const nowMs = useServerNow(now);
  if (!leaseUntil) return <>Finalizing.</>;
  const end = <Instant at={leaseUntil} className="tabular-nums" />;
  if (Date.parse(leaseUntil) <= nowMs)
    return <>The finalizer did not finish by {end}. The next finalizer run takes over.</>;
  return <>Finalizing. If the finalizer does not finish by {end}, another one takes over.</>;
}

function Entry({ entry }: { entry: TimelineEntry }) {
  const { label, look, color } = EVENTS[entry.event];
  return (
    <li className="relative flex gap-3 pb-4 text-table last:pb-0">
      <span
        aria-hidden
        className="absolute top-5 bottom-0 left-[6.5px] w-px bg-line in-[li:last-child]:hidden"
      />
      <look.icon aria-hidden size={14} className={`mt-[3px] shrink-0 ${color}`} />
      <div className="flex min-w-0 flex-1 flex-col">
        <div className="flex flex-wrap items-baseline justify-between gap-x-4">
          <span className="font-medium">{label}</span>
          <Instant at={entry.at} className="text-muted tabular-nums" />
        </div>
        {entry.reason && <p className="break-words">“{entry.reason}”</p>}
        <div className="flex flex-wrap items-center gap-x-3 text-label text-muted">
          {entry.by && <span className="break-all">{entry.by}</span>}
          {entry.requestId && (
            <span className="flex min-w-0 items-center gap-1">
              <span className="shrink-0">Request ID</span>
              <span className="truncate font-mono">{entry.requestId}</span>
              <CopyButton value={entry.requestId} what="request ID" />
            </span>
          )}
        </div>
      </div>
    </li>
  );
}
