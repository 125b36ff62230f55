"use client";
import { useQuery } from "@tanstack/react-query";
import type { ConsoleBatchDetail } from "@/server/batches/list/console-schema";
import type { BatchReview } from "@/server/batches/review/review-batch";
import type { PointType } from "@/server/kernel/values/point-types";
import { problemOf } from "../../../data/problem";
import { useTRPC } from "../../../data/trpc";
import { Skeleton } from "../../../ui/skeleton";
import { TYPE_LABELS } from "../status";
import { Findings } from "./findings";
import { Section } from "./section";

/** What is unusual about a pending batch, compared with the contract's finalized ones. */
export function Review({ batch }: { batch: ConsoleBatchDetail }) {
  const key = { contractAddress: batch.contractAddress, batchId: batch.id };
  const review = useQuery(useTRPC().console.batches.review.queryOptions(key, { staleTime: 30_000 }));
  const found = review.data;
  return (
    <Section title="Review" note={found && comparisonText(found, batch.pointType)}>
      <ul className="flex flex-col rounded-card border border-line bg-surface px-4 py-1">
        {review.isPending && <Skeleton className="my-3 h-4 w-2/3" />}
        {review.isError && <li className="py-2 text-danger text-table">{problemOf(review.error).detail}</li>}
        {found && <Findings review={found} contractAddress={batch.contractAddress} />}
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
