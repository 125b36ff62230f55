"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { batchesOf } from "@/app/(console)/batches/words";
import { ChangeDialog } from "@/app/ui/form-dialog";
import type { BulkJob } from "@/server/batches/bulk/schema";
import { useTRPC } from "../../../data/trpc";

export function StopDialog({ job, close }: { job: BulkJob; close: () => void }) {
  const { bulk } = useTRPC().console;
  const queryClient = useQueryClient();
  const stop = useMutation(
    bulk.stop.mutationOptions({
      onSuccess: close,
      onSettled: () => queryClient.invalidateQueries(bulk.get.queryFilter({ jobId: job.id })),
    }),
  );
  const left = batchesOf(job.open.batches);
  return (
    <ChangeDialog
      title="Stop this job?"
      description={`${left} not processed yet will stay unchanged. Changes already made are kept. A stopped job cannot be resumed.`}
      change={stop}
      close={close}
      cancel="Keep running"
      submit="Stop job"
      danger
      onSubmit={() => stop.mutate({ jobId: job.id })}
    />
  );
}
