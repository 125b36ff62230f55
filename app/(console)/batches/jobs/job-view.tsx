"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useEffect, useState } from "react";
import { BatchIdLink } from "@/app/(console)/batch-link";
import { ACTION_WORDS, Amounts, obstacleWords } from "@/app/(console)/batches/bulk-words";
import { batchesOf, personName, TYPE_LABELS } from "@/app/(console)/batches/status";
import { jobPath, payoutPath } from "@/app/(console)/paths";
import { useStaff } from "@/app/(console)/staff";
import { useTRPC } from "@/app/data/trpc";
import { Amount, formatCount } from "@/app/ui/amount";
import { Button, DownloadLink, TextLink } from "@/app/ui/button";
import { DataTable } from "@/app/ui/data-table";
import { Fact, FactList, Section } from "@/app/ui/section";
import { QueryError, StaleBanner } from "@/app/ui/states";
import { Instant, useTimeZone } from "@/app/ui/time";
import type { BulkJob } from "@/server/batches/bulk/schema";
import { JobProgress, JobStatus, jobTitle, progressOf } from "./job-list";

const SHOWN_MAX = 50;

function JobMissed({ job }: { job: BulkJob }) {
  const trpc = useTRPC();
  const { missed } = progressOf(job);
  const page = useQuery(
    trpc.console.bulk.items.queryOptions(
      { jobId: job.id, results: ["OVERTAKEN", "FAILED"], limit: SHOWN_MAX },
      { enabled: missed > 0, staleTime: 0 },
    ),
  );
  if (missed === 0) return null;
  if (page.isError && !page.data) return <QueryError query={page} />;
  return (
    <Section title="Not changed">
      <DataTable
        label="Batches that were not changed"
        rows={page.data?.items ?? []}
        keyOf={({ position }) => String(position)}
        columns={[
          {
            name: "Batch",
            render: (item) => <BatchIdLink contractAddress={item.contractAddress} id={item.batchId} />,
          },
          { name: "Contract", render: ({ contractLabel }) => contractLabel },
          {
            name: "Amount",
            right: true,
            render: (item) => (
              <>
                <Amount value={item.points} />{" "}
                <span className="text-muted">{TYPE_LABELS[item.pointType]}</span>
              </>
            ),
          },
          {
            name: "Reason",
            render: ({ why, whyBy, whyAt }) => (
              <span className="wrap-anywhere">
                {why && obstacleWords(why)}
                {whyAt && " since "}
                {whyAt && <Instant at={whyAt} />}
                {whyBy && whyBy !== "finalizer" && ` by ${personName(whyBy)}`}
              </span>
            ),
          },
        ]}
      />
      {missed > SHOWN_MAX && (
        <p className="hint">
          The first {SHOWN_MAX} of {formatCount(missed)}. The report has all of them.
        </p>
      )}
    </Section>
  );
}

const OBSTACLE_NAMES = {
  DONE: "Of these",
  OVERTAKEN: "Overtaken",
  EXCLUDED: "Excluded in the preview",
  FAILED: "Failed",
} as const;

function JobResults({ job }: { job: BulkJob }) {
  const { done } = ACTION_WORDS[job.action];
  const open = job.status === "RUNNING" ? "Not processed yet" : "Not processed: the job was stopped";
  const rows = [
    { name: done.charAt(0).toUpperCase() + done.slice(1), why: "", ...job.done },
    ...(job.open.batches > 0 ? [{ name: open, why: "", ...job.open }] : []),
    ...job.obstacles.map((share) => ({
      ...share,
      name: OBSTACLE_NAMES[share.result],
      why: obstacleWords(share.why),
    })),
  ];
  return (
    <Section title="Results">
      <DataTable
        label="Results table"
        rows={rows}
        keyOf={({ name, why }) => `${name}${why}`}
        columns={[
          {
            name: "Result",
            isRowHeader: true,
            render: ({ name, why }) => (
              <span>
                {name}
                {why && <span className="block hint">{why}</span>}
              </span>
            ),
          },
          { name: "Batches", right: true, render: ({ batches }) => formatCount(batches) },
          { name: "Transfers", right: true, render: ({ transfers }) => formatCount(transfers) },
          { name: "Amount", right: true, render: (row) => <Amounts amounts={row.amounts} /> },
        ]}
      />
      <p className="mt-2 hint">
        {batchesOf(job.batches)} {job.batches === 1 ? "was" : "were"} selected.
        {job.obstacles.some(({ result }) => result === "OVERTAKEN") &&
          " “Overtaken” means that the finalizer or someone else changed the batch before the job did."}
      </p>
    </Section>
  );
}

const StopDialog = dynamic(() =>
  import("@/app/(console)/batches/bulk-dialog").then((module) => module.StopDialog),
);

const EVERY_MS = 1_000;
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
  if (!job.data) return job.isError ? <QueryError query={job} /> : <div className="h-40" />;
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <div className="@container mx-auto flex w-full max-w-[1040px] flex-col gap-6 p-4 md:p-6">
        {job.isRefetchError && <StaleBanner />}
        <Head job={job.data} />
        <Facts job={job.data} />
        <JobResults job={job.data} />
        <JobMissed job={job.data} />
      </div>
    </div>
  );
}

/** Where the finalizer runs once a minute, a job without an open page would be idle most of the time. */
function useDrive(jobId: string, isRunning: boolean): void {
  const trpc = useTRPC();
  const { role } = useStaff();
  const { mutate, isIdle, isPending } = useMutation(trpc.console.bulk.work.mutationOptions());
  const drives = isRunning && role !== "viewer" && !isPending;
  useEffect(() => {
    if (!drives) return;
    const timer = setTimeout(() => mutate({ jobId }), isIdle ? 0 : DRIVE_EVERY_MS);
    return () => clearTimeout(timer);
  }, [drives, isIdle, jobId, mutate]);
}

function useRefreshedBatches(done: number | undefined): void {
  const { batches } = useTRPC().console;
  const queryClient = useQueryClient();
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each change of the count
  useEffect(() => {
    void queryClient.invalidateQueries(batches.pathFilter());
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
        <Fact name="Reason">{job.reason}</Fact>
        <Fact name="Started by">{personName(job.createdBy)}</Fact>
        <Fact name="Counted" at={job.frozenAt} />
        <Fact name="Started" at={job.startedAt} />
        <Fact name="Selection">
          {filters?.contractAddress && filters.payoutId ? (
            <TextLink href={payoutPath({ contractAddress: filters.contractAddress, id: filters.payoutId })}>
              Payout {filters.payoutId}
            </TextLink>
          ) : filters ? (
            "All that matched the filters"
          ) : (
            "Individual rows"
          )}
        </Fact>
        {job.finishedAt && (
          <Fact name={job.stoppedBy ? "Stopped" : "Finished"}>
            <Instant at={job.finishedAt} />
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
