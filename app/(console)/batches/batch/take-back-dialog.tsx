"use client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import Link from "next/link";
import { useState } from "react";
import type { ConsoleBatchDetail } from "@/server/batches/list/console-schema";
import { problemOf } from "../../../data/problem";
import { useTRPC } from "../../../data/trpc";
import { Button } from "../../../ui/button";
import { Dialog } from "../../../ui/dialog";
import { ErrorState } from "../../../ui/error-state";
import { Skeleton } from "../../../ui/skeleton";
import { batchPath } from "../paths";
import { TakeBackForm } from "./take-back-form";

const TITLE = "Take back this batch?";

interface TakeBackDialogProps {
  batch: ConsoleBatchDetail;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

const newReversalId = () => {
  const random = crypto.getRandomValues(new Uint8Array(8));
  return `reversal-${Array.from(random, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
};

/** Chooses the transfers to take back, and submits the reversal. Keeps its ID, so that sending it again stores it once. */
export function TakeBackDialog({ batch, open, onOpenChange }: TakeBackDialogProps) {
  const { batches } = useTRPC().console;
  const queryClient = useQueryClient();
  const [reversalId] = useState(newReversalId);
  const key = { contractAddress: batch.contractAddress, batchId: batch.id };
  const reversible = useQuery(batches.reversible.queryOptions(key, { enabled: open, staleTime: 0 }));
  const reverse = useMutation(
    batches.reverse.mutationOptions({
      onSettled: () =>
        Promise.all([
          queryClient.invalidateQueries(batches.get.queryFilter(key)),
          queryClient.invalidateQueries(batches.reversible.queryFilter(key)),
          queryClient.invalidateQueries(batches.facets.queryFilter()),
        ]),
    }),
  );
  const about = (
    <p>
      A reversal takes the points of the chosen transfers from their recipients and returns them to{" "}
      {batch.contractLabel}. It waits like any batch and can be cancelled until it is finalized.
    </p>
  );
  if (reverse.data)
    return (
      <Dialog open={open} onOpenChange={onOpenChange} title="Reversal submitted" description={about}>
        <p role="status" className="wrap-anywhere mt-4 text-table">
          The reversal is{" "}
          <Link
            href={batchPath({ contractAddress: batch.contractAddress, id: reverse.data.batchId })}
            className="font-mono text-accent text-mono underline-offset-2 hover:underline"
          >
            {reverse.data.batchId}
          </Link>
          .
        </p>
        <div className="mt-4 flex justify-end">
          <Button onClick={() => onOpenChange(false)}>Close</Button>
        </div>
      </Dialog>
    );
  if (!reversible.data)
    return (
      <Dialog open={open} onOpenChange={onOpenChange} title={TITLE} description={about}>
        <div className="mt-4">
          {reversible.error ? (
            <ErrorState {...problemOf(reversible.error)} onRetry={() => void reversible.refetch()} />
          ) : (
            <Skeleton className="h-40 w-full" />
          )}
        </div>
      </Dialog>
    );
  return (
    <TakeBackForm
      open={open}
      onOpenChange={onOpenChange}
      title={TITLE}
      description={about}
      batch={batch}
      reversible={reversible.data}
      problem={reverse.error && problemOf(reverse.error)}
      busy={reverse.isPending}
      onSend={(reversal) => reverse.mutate({ ...key, reversalId, ...reversal })}
    />
  );
}
