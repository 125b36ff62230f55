"use client";
import { useQuery } from "@tanstack/react-query";
import { ListChecks } from "lucide-react";
import Link from "next/link";
import { personName } from "@/app/(console)/batches/status";
import { ButtonLink } from "@/app/ui/button-link";
import { EmptyState } from "@/app/ui/empty-state";
import { Loaded } from "@/app/ui/error-state";
import { Instant } from "@/app/ui/instant";
import type { BulkJob } from "@/server/batches/bulk/schema";
import { useTRPC } from "../../../data/trpc";
import { StaleBanner } from "../../../ui/banner";
import { classNames } from "../../../ui/class-names";
import { DataTable, ROW_LINK } from "../../../ui/data-table";
import { jobPath } from "../paths";
import { JobProgress, JobStatus, jobTitle } from "./job-state";

const EVERY_MS = 5_000;

export function JobList() {
  const trpc = useTRPC();
  const jobs = useQuery(trpc.console.bulk.recent.queryOptions(undefined, { refetchInterval: EVERY_MS }));
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-3 overflow-y-auto p-4 md:p-6">
      <div>
        <h1 className="font-semibold text-title">Bulk jobs</h1>
        <p className="text-muted">The latest 20 holds, releases and cancellations of many batches.</p>
      </div>
      {jobs.isRefetchError && <StaleBanner what="list" />}
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
        <p className="text-muted">Select batches in the list to hold, release or cancel them together.</p>
        <ButtonLink href="/batches">View all batches</ButtonLink>
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
        {
          name: "Started",
          render: ({ startedAt }) => <Instant at={startedAt} className="whitespace-nowrap tabular-nums" />,
        },
      ]}
    />
  );
}
