"use client";
import { useQuery } from "@tanstack/react-query";
import { ListChecks } from "lucide-react";
import Link from "next/link";
import { buttonLook } from "@/app/ui/button-look";
import { EmptyState } from "@/app/ui/empty-state";
import { ErrorState } from "@/app/ui/error-state";
import { Instant } from "@/app/ui/instant";
import type { BulkJob } from "@/server/batches/bulk/schema";
import { problemOf } from "../../../data/problem";
import { useTRPC } from "../../../data/trpc";
import { Banner } from "../../../ui/banner";
import { classNames } from "../../../ui/class-names";
import { DataTable, ROW_LINK } from "../../../ui/data-table";
import { personName } from "../caller-names";
import { jobPath } from "../paths";
import { JobProgress, JobStatus, jobTitle } from "./job-state";

const EVERY_MS = 5_000;

/** Everyone's latest jobs, newest first. */
export function JobList() {
  const trpc = useTRPC();
  const jobs = useQuery(trpc.console.bulk.recent.queryOptions(undefined, { refetchInterval: EVERY_MS }));
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-3 overflow-y-auto p-4 md:p-6">
      <div>
        <h1 className="font-semibold text-title">Bulk jobs</h1>
        <p className="text-muted">The latest 20 holds, releases and cancellations of many batches.</p>
      </div>
      {jobs.isRefetchError && <Banner>This list may be out of date: the last update failed.</Banner>}
      {jobs.data ? (
        <Jobs jobs={jobs.data} />
      ) : (
        jobs.isError && <ErrorState {...problemOf(jobs.error)} onRetry={() => void jobs.refetch()} />
      )}
    </div>
  );
}

function Jobs({ jobs }: { jobs: BulkJob[] }) {
  if (jobs.length === 0) {
    return (
      <EmptyState icon={ListChecks} title="No bulk jobs yet">
        <p className="text-muted">Select batches in the list to hold, release or cancel them together.</p>
        <Link href="/batches" className={buttonLook()}>
          View all batches
        </Link>
      </EmptyState>
    );
  }
  return (
    <DataTable
      className="rounded-card border border-line bg-surface"
      label="Bulk jobs"
      linked
      rows={jobs}
      keyOf={({ id }) => id}
      columns={[
        {
          id: "job",
          name: "Job",
          render: (job) => (
            <Link
              href={jobPath(job.id)}
              prefetch={false}
              className={classNames(ROW_LINK, "whitespace-nowrap font-medium hover:text-accent")}
            >
              {jobTitle(job)}
            </Link>
          ),
        },
        { id: "status", name: "Status", render: ({ status }) => <JobStatus status={status} /> },
        {
          id: "progress",
          name: "Progress",
          render: (job) => (
            <span className="block min-w-40">
              <JobProgress job={job} />
            </span>
          ),
        },
        {
          id: "reason",
          name: "Reason",
          render: ({ reason }) => (
            <span title={reason} className="wrap-anywhere line-clamp-2 md:max-w-80">
              {reason}
            </span>
          ),
        },
        {
          id: "by",
          name: "Started by",
          render: ({ createdBy }) => <span className="break-all">{personName(createdBy)}</span>,
        },
        {
          id: "started",
          name: "Started",
          render: ({ startedAt }) => <Instant at={startedAt} className="whitespace-nowrap tabular-nums" />,
        },
      ]}
    />
  );
}
