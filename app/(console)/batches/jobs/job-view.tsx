"use client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import Link from "next/link";
import { useEffect, useState } from "react";
import { Button } from "@/app/ui/button";
import { DownloadLink } from "@/app/ui/button-link";
import { ErrorState } from "@/app/ui/error-state";
import { Fact, FactList } from "@/app/ui/fact-list";
import { Instant } from "@/app/ui/instant";
import { Section } from "@/app/ui/section";
import { useTimeZone } from "@/app/ui/time-zone";
import type { BulkJob } from "@/server/batches/bulk/schema";
import { problemOf } from "../../../data/problem";
import { useTRPC } from "../../../data/trpc";
import { Banner } from "../../../ui/banner";
import { useStaff } from "../../staff";
import { personName } from "../caller-names";
import { jobPath, uploadPath } from "../paths";
import { JobMissed } from "./job-missed";
import { JobResults } from "./job-results";
import { JobProgress, JobStatus, jobTitle } from "./job-state";

const StopDialog = dynamic(() => import("./stop-dialog").then((module) => module.StopDialog), { ssr: false });

const EVERY_MS = 1_000;
/** Pause between two calls that work on the job. */
const DRIVE_EVERY_MS = 500;

export function JobView({ jobId }: { jobId: string }) {
  const trpc = useTRPC();
  const job = useQuery(
    trpc.console.bulk.get.queryOptions(
      { jobId },
      {
        refetchInterval: ({ state }) => (!state.data || state.data.status === "RUNNING" ? EVERY_MS : false),
        staleTime: 0,
      },
    ),
  );
  useDrive(jobId, job.data?.status === "RUNNING");
  useRefreshedBatches(job.data?.done.batches);
  if (!job.data)
    return job.isError ? (
      <ErrorState {...problemOf(job.error)} onRetry={() => void job.refetch()} />
    ) : (
      <div className="h-40" />
    );
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <div className="@container mx-auto flex w-full max-w-[1040px] flex-col gap-6 p-4 md:p-6">
        {job.isRefetchError && (
          <Banner>This page may be out of date: the last update failed. Retrying automatically.</Banner>
        )}
        <Head job={job.data} />
        <Facts job={job.data} />
        <JobResults job={job.data} />
        <JobMissed job={job.data} />
      </div>
    </div>
  );
}

/**
 * Works on the job while the page is open and no worker has it: on a platform where the finalizer runs once a minute, the
 * job would otherwise be idle most of the time.
 */
function useDrive(jobId: string, isRunning: boolean): void {
  const trpc = useTRPC();
  const { role } = useStaff();
  const { mutateAsync } = useMutation(trpc.console.bulk.work.mutationOptions());
  const drives = isRunning && role !== "viewer";
  useEffect(() => {
    if (!drives) return;
    let isOver = false;
    const drive = async () => {
      while (!isOver) {
        await mutateAsync({ jobId }).catch(() => undefined);
        await new Promise((resolve) => setTimeout(resolve, DRIVE_EVERY_MS));
      }
    };
    void drive();
    return () => {
      isOver = true;
    };
  }, [drives, jobId, mutateAsync]);
}

/** The list and the batches are read again after the job has changed some. */
function useRefreshedBatches(done: number | undefined): void {
  const { batches } = useTRPC().console;
  const queryClient = useQueryClient();
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each change of the count
  useEffect(() => {
    void queryClient.invalidateQueries(batches.list.infiniteQueryFilter());
    void queryClient.invalidateQueries(batches.facets.queryFilter());
    void queryClient.invalidateQueries(batches.get.queryFilter());
  }, [done]);
}

function Head({ job }: { job: BulkJob }) {
  const { role } = useStaff();
  const [isStopping, setStopping] = useState(false);
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h1 className="font-semibold text-title">{jobTitle(job)}</h1>
        <JobStatus status={job.status} />
        <span className="ml-auto flex flex-wrap gap-2">
          <DownloadLink href={`${jobPath(job.id)}/export`}>Download report</DownloadLink>
          {job.status === "RUNNING" && role !== "viewer" && (
            <Button onClick={() => setStopping(true)}>Stop job…</Button>
          )}
        </span>
      </div>
      <JobProgress job={job} />
      {isStopping && <StopDialog job={job} close={() => setStopping(false)} />}
    </div>
  );
}

function Facts({ job }: { job: BulkJob }) {
  const { zone } = useTimeZone();
  const { filters } = job;
  return (
    <Section title="Summary" note={`Times in ${zone}`}>
      <FactList className="@4xl:grid-cols-2">
        <Fact name="Reason">
          <span className="wrap-anywhere">{job.reason}</span>
        </Fact>
        <Fact name="Started by">
          <span className="break-all">{personName(job.createdBy)}</span>
        </Fact>
        <Fact name="Counted">
          <Instant at={job.frozenAt} className="tabular-nums" />
        </Fact>
        <Fact name="Started">
          <Instant at={job.startedAt} className="tabular-nums" />
        </Fact>
        <Fact name="Selection">
          {filters?.uploadId ? (
            <Link href={uploadPath(filters.uploadId)} className="text-accent hover:underline">
              All of one uploaded file
            </Link>
          ) : filters ? (
            "All that matched the filters"
          ) : (
            "Individual rows"
          )}
        </Fact>
        {job.finishedAt && (
          <Fact name={job.stoppedBy ? "Stopped" : "Finished"}>
            <Instant at={job.finishedAt} className="tabular-nums" />
            {job.stoppedBy && ` by ${stopper(job.stoppedBy)}`}
          </Fact>
        )}
      </FactList>
    </Section>
  );
}

const stopper = (by: string) =>
  by === "service"
    ? "the service, because the person who started it can no longer change batches"
    : personName(by);
