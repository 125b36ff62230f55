"use client";
import { useQuery } from "@tanstack/react-query";
import { CircleCheck, CircleStop, ListChecks, LoaderCircle } from "lucide-react";
import { ACTION_WORDS } from "@/app/(console)/batches/bulk-words";
import { personName } from "@/app/(console)/batches/status";
import { jobPath } from "@/app/(console)/paths";
import { useTRPC } from "@/app/data/trpc";
import { formatCount } from "@/app/ui/amount";
import { Badge } from "@/app/ui/badge";
import { ButtonLink, Link } from "@/app/ui/button";
import { classNames } from "@/app/ui/class-names";
import { DataTable, ROW_LINK } from "@/app/ui/data-table";
import { EmptyState, Loaded, StaleBanner } from "@/app/ui/states";
import { When } from "@/app/ui/time";
import type { BulkJob } from "@/server/batches/bulk/schema";

const EVERY_MS = 5_000;

export function JobList() {
  const trpc = useTRPC();
  const jobs = useQuery(trpc.console.bulk.recent.queryOptions(undefined, { refetchInterval: EVERY_MS }));
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-3 overflow-y-auto p-4 md:p-6">
      <div>
        <h1 className="font-semibold text-title">Bulk jobs</h1>
        <p className="text-muted">
          The latest 20 holds, releases, cancellations and take backs of many batches.
        </p>
      </div>
      {jobs.isRefetchError && <StaleBanner />}
      <Loaded query={jobs} skeleton={null}>
        {(found) => <Jobs jobs={found} />}
      </Loaded>
    </div>
  );
}

function Jobs({ jobs }: { jobs: BulkJob[] }) {
  if (jobs.length === 0) {
    return (
      <EmptyState icon={ListChecks} title="No bulk jobs yet">
        Select batches in the list to hold, release or cancel them together.
        <ButtonLink href="/batches">View all batches</ButtonLink>
      </EmptyState>
    );
  }
  return (
    <DataTable
      label="Bulk jobs"
      linked
      rows={jobs}
      keyOf={({ id }) => id}
      columns={[
        {
          name: "Job",
          render: (job) => (
            <Link
              href={jobPath(job.id)}
              className={classNames(ROW_LINK, "whitespace-nowrap font-medium hover:text-accent")}
            >
              {jobTitle(job)}
            </Link>
          ),
        },
        { name: "Status", render: ({ status }) => <JobStatus status={status} /> },
        {
          name: "Progress",
          render: (job) => (
            <span className="block min-w-40">
              <JobProgress job={job} />
            </span>
          ),
        },
        {
          name: "Reason",
          render: ({ reason }) => (
            <span title={reason} className="wrap-anywhere line-clamp-2 md:max-w-80">
              {reason}
            </span>
          ),
        },
        {
          name: "Started by",
          render: ({ createdBy }) => <span className="break-all">{personName(createdBy)}</span>,
        },
        { name: "Started", render: ({ startedAt }) => <When at={startedAt} /> },
      ]}
    />
  );
}

const LOOKS = {
  RUNNING: { label: "Running", tone: "finalizing", icon: LoaderCircle },
  FINISHED: { label: "Finished", tone: "finalized", icon: CircleCheck },
  STOPPED: { label: "Stopped", tone: "cancelled", icon: CircleStop },
} as const;

export const JobStatus = ({ status }: Pick<BulkJob, "status">) => (
  <Badge {...LOOKS[status]} spin={status === "RUNNING"} />
);

/** How far a job is. Batches that its preview excluded are not part of `total`. */
export function progressOf({ open, done, obstacles }: BulkJob) {
  const missed = obstacles
    .filter(({ result }) => result === "OVERTAKEN" || result === "FAILED")
    .reduce((sum, { batches }) => sum + batches, 0);
  const processed = done.batches + missed;
  return { processed, total: processed + open.batches, missed };
}

/** `Cancel 1,190 batches`: how many it was confirmed for. */
export const jobTitle = (job: BulkJob) => ACTION_WORDS[job.action].confirm(progressOf(job).total);

export function JobProgress({ job }: { job: BulkJob }) {
  const { processed, total } = progressOf(job);
  const words = `${formatCount(processed)} of ${formatCount(total)}`;
  return (
    <div className="flex items-center gap-3 text-table">
      <progress
        aria-label="Batches processed"
        aria-valuetext={words}
        value={total === 0 ? 1 : processed}
        max={total || 1}
        className="h-1.5 min-w-24 flex-1"
      />
      <span className="shrink-0 tabular-nums">{words}</span>
    </div>
  );
}
