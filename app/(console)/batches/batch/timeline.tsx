import { personName } from "@/app/(console)/batches/status";
import { CopyButton } from "@/app/ui/copy-button";
import { Section } from "@/app/ui/section";
import { Instant, useServerNow } from "@/app/ui/time";
import type { TimelineEntry } from "@/server/batches/list/console-schema";
import type { ConsoleBatchDetail } from "@/server/batches/review/describe-batch";
import { EVENTS } from "./event-words";

export function Timeline({ batch }: { batch: ConsoleBatchDetail }) {
  const isLate = Date.parse(batch.leaseUntil ?? "") <= useServerNow();
  return (
    <Section title="Timeline">
      <ol className="card flex flex-col px-4 py-3">
        {batch.timeline.map((entry) => (
          <Entry key={`${entry.event}${entry.at}`} entry={entry} isReversal={Boolean(batch.reverses)} />
        ))}
        {batch.leaseUntil && isLate && (
          <li className="text-muted text-table">
            The finalizer did not finish by <Instant at={batch.leaseUntil} />. The next run takes over.
          </li>
        )}
      </ol>
    </Section>
  );
}

function Entry({ entry, isReversal }: { entry: TimelineEntry; isReversal: boolean }) {
  const { label, look, effect } = EVENTS[entry.event];
  return (
    <li className="relative flex gap-3 pb-4 text-table last:pb-0">
      <span
        aria-hidden
        className="absolute top-5 bottom-0 left-[6.5px] w-px bg-line in-[li:last-child]:hidden"
      />
      <look.icon size={14} className={`mt-[3px] shrink-0 ${look.color}`} />
      <div className="flex min-w-0 flex-1 flex-col">
        <div className="flex flex-wrap items-baseline justify-between gap-x-4">
          <span className="wrap-anywhere font-medium">
            {effect ? `${label}, ${effect[isReversal ? 1 : 0]}` : label}
          </span>
          <Instant at={entry.at} className="text-muted" />
        </div>
        {entry.reason && <p className="break-words">“{entry.reason}”</p>}
        <div className="flex flex-wrap items-center gap-x-3 hint">
          {entry.by && entry.by !== "finalizer" && <span className="break-all">{personName(entry.by)}</span>}
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
