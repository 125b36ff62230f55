"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { FormDialog } from "@/app/ui/form-dialog";
import type { BulkJob } from "@/server/batches/bulk/schema";
import { problemOf } from "../../../data/problem";
import { useTRPC } from "../../../data/trpc";
import { batchesOf } from "../count-words";

interface StopDialogProps {
  job: BulkJob;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function StopDialog({ job, open, onOpenChange }: StopDialogProps) {
  const { bulk } = useTRPC().console;
  const queryClient = useQueryClient();
  const stop = useMutation(
    bulk.stop.mutationOptions({
      onSuccess: () => onOpenChange(false),
      onSettled: () => queryClient.invalidateQueries(bulk.get.queryFilter({ jobId: job.id })),
    }),
  );
  const left = batchesOf(job.open.batches);
  return (
    <FormDialog
      open={open}
      onOpenChange={onOpenChange}
      title="Stop this job?"
      description={`${left} not processed yet will stay unchanged. Changes already made are kept. A stopped job cannot be resumed.`}
      problem={stop.error && problemOf(stop.error)}
      busy={stop.isPending}
      cancel="Keep running"
      submit="Stop job"
      danger
      onSubmit={() => stop.mutate({ jobId: job.id })}
    />
  );
}
