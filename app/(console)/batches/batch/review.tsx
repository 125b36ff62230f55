"use client";
import { useQuery } from "@tanstack/react-query";
import type { ConsoleBatchDetail } from "@/server/batches/list/console-schema";
import type { BatchReview } from "@/server/batches/list/findings";
import type { PointType } from "@/server/kernel/values/batch-terms";
import { problemOf } from "../../../data/problem";
import { useTRPC } from "../../../data/trpc";
import { Skeleton } from "../../../ui/skeleton";
import { keyOf } from "../paths";
import { TYPE_LABELS } from "../status";
import { Findings } from "./findings";
import { Section } from "./section";

const FRESH_MS = 30_000;

/** The stored findings of its review. Without any, the batch is compared with finalized batches now. */
export function Review({ batch }: { batch: ConsoleBatchDetail }) {
  const trpc = useTRPC();
  const review = useQuery(
    trpc.console.batches.review.queryOptions(keyOf(batch), { staleTime: FRESH_MS, enabled: !batch.review }),
  );
  const found = batch.review ?? review.data;
  return (
    <Section title="Review" note={found && comparisonText(found, batch.pointType)}>
      <ul className="flex flex-col rounded-card border border-line bg-surface px-4 py-1">
        {!found && review.isPending && <Skeleton className="my-3 h-4 w-2/3" />}
        {!found && review.isError && (
          <li className="py-2 text-danger text-table">{problemOf(review.error).detail}</li>
        )}
        {found && <Findings review={found} contractAddress={batch.contractAddress} batchId={batch.id} />}
      </ul>
    </Section>
  );
}

export function comparisonText({ comparedWith }: BatchReview, pointType: PointType): string {
  const type = TYPE_LABELS[pointType];
  if (comparedWith === 0) return `The contract has no finalized ${type} batch to compare with`;
  return comparedWith === 1
    ? `Compared with the contract's only finalized ${type} batch`
    : `Compared with the contract's last ${comparedWith} finalized ${type} batches`;
}
