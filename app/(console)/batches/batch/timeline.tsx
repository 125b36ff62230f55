"use client";
import type { ConsoleBatchDetail, TimelineEntry } from "@/server/batches/console-schema";
import { CopyButton } from "../../../ui/copy-button";
import { Instant } from "../../../ui/instant";
import { useServerNow } from "../../../ui/server-clock";
import { isOpen, STATUS_LOOKS } from "../status";
import { Countdown, WillBeFinalized } from "../status-badge";
import { Section } from "./section";

const EVENTS = {
  created: { words: "Submitted", look: STATUS_LOOKS.PENDING, color: "text-pending" },
  held: { words: "Put on hold", look: STATUS_LOOKS.HELD, color: "text-held" },
  released: { words: "Released", look: STATUS_LOOKS.PENDING, color: "text-pending" },
  claimed: { words: "Claimed by a finalizer", look: STATUS_LOOKS.FINALIZING, color: "text-finalizing" },
  finalized: {
    words: "Finalized, recipients credited",
    look: STATUS_LOOKS.FINALIZED,
    color: "text-finalized",
  },
  cancelled: { words: "Cancelled, points given back", look: STATUS_LOOKS.CANCELLED, color: "text-cancelled" },
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
  if (batch.status === "FINALIZING") return <WhoFinalizes batch={batch} />;
  if (batch.heldAt)
    return (
      <>
        Now <Countdown batch={batch} asOf={batch.now} />
      </>
    );
  return (
    <>
      Will be finalized <WillBeFinalized batch={batch} asOf={batch.now} />
    </>
  );
}

/** Claims end by themselves: from then on whichever finalizer runs may take the batch. */
function WhoFinalizes({ batch: { leaseUntil, now } }: { batch: ConsoleBatchDetail }) {
  const nowMs = useServerNow(now);
  if (!leaseUntil) return <>Being finalized.</>;
  const end = <Instant at={leaseUntil} className="tabular-nums" />;
  if (Date.parse(leaseUntil) <= nowMs)
    return <>Its finalizer was to be done by {end}: the next one that runs takes it over.</>;
  return <>Being finalized. If its finalizer is not done by {end}, another takes it over.</>;
}

function Entry({ entry }: { entry: TimelineEntry }) {
  const { words, look, color } = EVENTS[entry.event];
  return (
    <li className="relative flex gap-3 pb-4 text-table last:pb-0">
      <span
        aria-hidden
        className="absolute top-5 bottom-0 left-[6.5px] w-px bg-line in-[li:last-child]:hidden"
      />
      <look.icon aria-hidden size={14} className={`mt-[3px] shrink-0 ${color}`} />
      <div className="flex min-w-0 flex-1 flex-col">
        <div className="flex flex-wrap items-baseline justify-between gap-x-4">
          <span className="font-medium">{words}</span>
          <Instant at={entry.at} className="text-muted tabular-nums" />
        </div>
        {entry.reason && <p className="break-words">“{entry.reason}”</p>}
        <div className="flex flex-wrap items-center gap-x-3 text-label text-muted">
          {entry.by && <span className="break-all">{entry.by}</span>}
          {entry.requestId && (
            <span className="flex min-w-0 items-center gap-1">
              <span className="shrink-0">Request</span>
              <span className="truncate font-mono">{entry.requestId}</span>
              <CopyButton value={entry.requestId} what="request id" />
            </span>
          )}
        </div>
      </div>
    </li>
  );
}
