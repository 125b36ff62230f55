import { CircleCheck, CircleStop, LoaderCircle } from "lucide-react";
import { ACTION_WORDS } from "@/app/(console)/batches/selection/bulk-words";
import { formatCount } from "@/app/ui/amount";
import { Badge } from "@/app/ui/badge";
import type { BulkJob } from "@/server/batches/bulk/schema";

const LOOKS = {
  RUNNING: { label: "Running", tone: "finalizing", icon: LoaderCircle },
  FINISHED: { label: "Finished", tone: "finalized", icon: CircleCheck },
  STOPPED: { label: "Stopped", tone: "cancelled", icon: CircleStop },
} as const;

export function JobStatus({ status }: Pick<BulkJob, "status">) {
  const { label, tone, icon } = LOOKS[status];
  return (
    <Badge tone={tone} icon={icon} spin={status === "RUNNING"}>
      {label}
    </Badge>
  );
}

/** How far a job is. Batches that its preview excluded are not part of `total`. */
export function progressOf({ open, done, obstacles }: BulkJob) {
  const missed = obstacles
    .filter(({ result }) => result !== "EXCLUDED")
    .reduce((sum, { batches }) => sum + batches, 0);
  const processed = done.batches + missed;
  return { processed, total: processed + open.batches, missed };
}

/** `Cancel 1,190 batches`: how many it was confirmed for. */
export const jobTitle = (job: BulkJob) => ACTION_WORDS[job.action].job(progressOf(job).total);

/** A bar with its numbers, which are its name too. */
export function JobProgress({ job }: { job: BulkJob }) {
  const { processed, total } = progressOf(job);
  const words = `${formatCount(processed)} of ${formatCount(total)}`;
  return (
    <div className="flex items-center gap-3 text-table">
      <div
        role="progressbar"
        aria-label="Batches processed"
        aria-valuemin={0}
        aria-valuemax={total}
        aria-valuenow={processed}
        aria-valuetext={words}
        className="h-2 min-w-24 flex-1 overflow-hidden rounded-full bg-line"
      >
        <div
          className="h-full rounded-full bg-accent transition-[width] duration-150"
          style={{ width: `${total === 0 ? 100 : (100 * processed) / total}%` }}
        />
      </div>
      <span className="shrink-0 tabular-nums">{words}</span>
    </div>
  );
}
