import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { CircleCheck, CircleStop, LoaderCircle } from "lucide-react";
import { useEffect } from "react";
import { batchesOf, personName } from "@/app/(console)/batches/status";
import { jobExportPath } from "@/app/(console)/paths";
import { useStaff } from "@/app/(console)/staff";
import { useChange, useTRPC } from "@/app/data/trpc";
import { formatCount } from "@/app/ui/amount";
import { Badge } from "@/app/ui/badge";
import { Button, DownloadLink } from "@/app/ui/button";
import { type ChangeDialogProps, Dialog } from "@/app/ui/dialogs";
import { Loaded, StaleBanner } from "@/app/ui/states";
import { Instant } from "@/app/ui/time";
import type { BulkJob, BulkResult } from "@/server/batches/bulk/schema";
import { ACTION_WORDS, obstacleWords, Shares } from "./bulk-words";

const EVERY_MS = 1_000;
const DRIVE_EVERY_MS = 500;

type BulkJobDialogProps = Pick<ChangeDialogProps, "close" | "finalFocus"> & { jobId: string };

/** What a bulk action did, is doing, and could not do. Closing it does not stop the action. */
export default function BulkJobDialog({ jobId, ...dialog }: BulkJobDialogProps) {
  const { bulk } = useTRPC().console;
  const { role } = useStaff();
  const job = useQuery(
    bulk.get.queryOptions(
      { jobId },
      {
        refetchInterval: ({ state }) => (state.data?.status === "RUNNING" ? EVERY_MS : false),
        staleTime: 0,
      },
    ),
  );
  const mayChange = job.data?.status === "RUNNING" && role !== "viewer";
  useDrive(jobId, mayChange);
  useRefreshedBatches(job.data?.done.batches);
  const changed = useChange([bulk.get.queryFilter({ jobId })]);
  const stop = useMutation(bulk.stop.mutationOptions(changed("Stopped. What was done stays done.")));
  return (
    <Dialog
      {...dialog}
      title={job.data ? ACTION_WORDS[job.data.action].confirm(batchesOf(totalOf(job.data))) : "Bulk action"}
      description={job.data && <Origin {...job.data} />}
    >
      <div className="mt-4 flex flex-col gap-4">
        {job.isRefetchError && <StaleBanner />}
        <Loaded query={job}>{(found) => <Progress job={found} />}</Loaded>
        {job.data?.status === "RUNNING" && (
          <p className="hint">It continues when you close this. The audit log leads back here.</p>
        )}
        {job.data?.action === "release" && job.data.done.batches > 0 && (
          <p className="hint">
            Until each is due, it can be put on hold or cancelled. The report names them.
          </p>
        )}
        <div className="flex flex-wrap justify-end gap-2">
          {job.data && <DownloadLink href={jobExportPath(jobId)}>Download report</DownloadLink>}
          {mayChange && (
            <Button busy={stop.isPending} onClick={() => stop.mutate({ jobId })}>
              Stop
            </Button>
          )}
          <Button onClick={dialog.close}>Close</Button>
        </div>
      </div>
    </Dialog>
  );
}

/** Where the finalizer runs once a minute, a job without an open page would be idle most of the time. */
function useDrive(jobId: string, mayChange: boolean): void {
  const { mutate, isIdle, isPending } = useMutation(useTRPC().console.bulk.work.mutationOptions());
  const drives = mayChange && !isPending;
  useEffect(() => {
    if (!drives) return;
    const timer = setTimeout(() => mutate({ jobId }), isIdle ? 0 : DRIVE_EVERY_MS);
    return () => clearTimeout(timer);
  }, [drives, isIdle, jobId, mutate]);
}

function useRefreshedBatches(done: number | undefined): void {
  const { alerts, batches, payouts } = useTRPC().console;
  const queryClient = useQueryClient();
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each change of the count
  useEffect(() => {
    if (!done) return;
    for (const { pathFilter } of [alerts, batches, payouts]) void queryClient.invalidateQueries(pathFilter());
  }, [done]);
}

const Origin = ({ reason, createdBy, startedAt, stoppedBy }: BulkJob) => (
  <>
    <p className="wrap-anywhere">{reason}</p>
    <p className="hint">
      {personName(createdBy)}, <Instant at={startedAt} />
      {stoppedBy === "service" && ". Stopped, because this person can no longer change batches"}
      {stoppedBy && stoppedBy !== "service" && `. Stopped by ${personName(stoppedBy)}`}
    </p>
  </>
);

const LOOKS = {
  RUNNING: { label: "Running", tone: "finalizing", icon: LoaderCircle, open: "To do" },
  FINISHED: { label: "Finished", tone: "finalized", icon: CircleCheck, open: "" },
  STOPPED: { label: "Stopped", tone: "cancelled", icon: CircleStop, open: "Not done" },
} as const;

/** Without what the preview left out. */
const totalOf = ({ batches, obstacles }: BulkJob) =>
  obstacles.reduce((left, each) => (each.result === "EXCLUDED" ? left - each.batches : left), batches);

const RESULTS: Partial<Record<BulkResult, string>> = {
  OVERTAKEN: "Changed before by someone else",
  EXCLUDED: "Left out",
  FAILED: "Failed",
};

function Progress({ job }: { job: BulkJob }) {
  const { done, toCome = done } = ACTION_WORDS[job.action];
  const { open: openName, ...look } = LOOKS[job.status];
  const total = totalOf(job);
  const processed = total - job.open.batches;
  const words = `${formatCount(processed)} of ${formatCount(total)}`;
  const rows = [
    { name: toCome.charAt(0).toUpperCase() + toCome.slice(1), ...job.done },
    ...(job.open.batches > 0 ? [{ name: openName, ...job.open }] : []),
    ...job.obstacles.map((share) => ({
      ...share,
      name: [RESULTS[share.result], obstacleWords(share.why)].filter(Boolean).join(": "),
    })),
  ];
  return (
    <>
      <div className="flex items-center gap-3 text-table">
        <Badge {...look} spin={job.status === "RUNNING"} />
        <progress
          aria-label="Batches processed"
          aria-valuetext={words}
          value={processed}
          max={total}
          className="h-1.5 min-w-24 flex-1"
        />
        <span className="shrink-0 tabular-nums">{words}</span>
      </div>
      <div className="max-h-[45dvh] overflow-y-auto">
        <Shares shares={rows} />
      </div>
    </>
  );
}
