import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { personName } from "@/app/(console)/batches/status";
import { CopyButton } from "@/app/ui/copy-button";
import { Section } from "@/app/ui/section";
import { Instant } from "@/app/ui/time";
import type { TimelineEntry } from "@/server/batches/list/console-schema";
import type { ConsoleBatchDetail } from "@/server/batches/review/describe-batch";
import { EVENTS } from "./event-words";

/** @param children its last entries */
export function Timeline({ batch, children }: { batch: ConsoleBatchDetail; children?: ReactNode }) {
  return (
    <Section title="Timeline">
      <ol className="card flex flex-col px-4 py-3">
        {batch.timeline.map((entry) => {
          const { label, look, effect } = EVENTS[entry.event];
          const title = effect ? `${label}, ${effect[batch.reverses ? 1 : 0]}` : label;
          return <Entry key={`${entry.event}${entry.at}`} {...entry} {...look} title={title} />;
        })}
        {children}
      </ol>
    </Section>
  );
}

interface EntryProps extends Omit<TimelineEntry, "event"> {
  icon: LucideIcon;
  color: string;
  title: string;
  children?: ReactNode;
}

/** What happened to a batch. Its time is `at`. */
export function Entry({ at, by, requestId, reason, icon: Icon, color, title, children }: EntryProps) {
  return (
    <li className="relative flex gap-3 pb-4 text-table last:pb-0">
      <span
        aria-hidden
        className="absolute top-5 bottom-0 left-[6.5px] w-px bg-line in-[li:last-child]:hidden"
      />
      <Icon size={14} className={`mt-[3px] shrink-0 ${color}`} />
      <div className="flex min-w-0 flex-1 flex-col">
        <div className="flex flex-wrap items-baseline justify-between gap-x-4">
          <span className="wrap-anywhere font-medium">{title}</span>
          <Instant at={at} className="text-muted" />
        </div>
        {children}
        {reason && <p className="break-words">“{reason}”</p>}
        <div className="flex flex-wrap items-center gap-x-3 hint">
          {by && by !== "finalizer" && <span className="break-all">{personName(by)}</span>}
          {requestId && (
            <span className="flex min-w-0 items-center gap-1">
              <span className="shrink-0">Request ID</span>
              <span className="truncate font-mono">{requestId}</span>
              <CopyButton value={requestId} what="request ID" />
            </span>
          )}
        </div>
      </div>
    </li>
  );
}
