"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { LoaderCircle } from "lucide-react";
import type { BulkJob } from "@/server/batches/bulk/bulk-schema";
import { problemOf } from "../../../data/problem";
import { useTRPC } from "../../../data/trpc";
import { Button } from "../../../ui/button";
import { Dialog } from "../../../ui/dialog";
import { batchesOf } from "../selection/bulk-words";

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
  const isOne = job.open.batches === 1;
  const problem = stop.error && problemOf(stop.error);
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Stop this job?"
      description={
        <p>
          {batchesOf(job.open.batches)} that {isOne ? "has" : "have"} not been processed{" "}
          {isOne ? "stays" : "stay"} unchanged. Changes already made are kept. A stopped job cannot be
          resumed.
        </p>
      }
    >
      {problem && (
        <div role="alert" className="mt-4 rounded-control bg-danger-ground px-3 py-2 text-danger text-table">
          <p className="font-medium">{problem.title}</p>
          <p>{problem.detail}</p>
        </div>
      )}
      <div className="mt-4 flex justify-end gap-2">
        <Button onClick={() => onOpenChange(false)}>Keep running</Button>
        <Button variant="danger" disabled={stop.isPending} onClick={() => stop.mutate({ jobId: job.id })}>
          {stop.isPending && <LoaderCircle aria-hidden size={14} className="animate-spin" />}
          Stop job
        </Button>
      </div>
    </Dialog>
  );
}
