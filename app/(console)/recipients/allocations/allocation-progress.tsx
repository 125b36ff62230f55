"use client";
import { useQuery } from "@tanstack/react-query";
import { JobProgress, WHILE_RUNNING } from "@/app/(console)/recipients/job-progress";
import { useTRPC } from "@/app/data/trpc";
import type { AllocationOut } from "@/server/allocations/schema";

/** While it is made. */
export function AllocationProgress({ allocation }: { allocation: AllocationOut }) {
  const { allocations } = useTRPC().console;
  const { data, isError } = useQuery(
    allocations.get.queryOptions(
      { allocationId: allocation.id },
      { initialData: allocation, ...WHILE_RUNNING },
    ),
  );
  return (
    <JobProgress hasEnded={isError || data.status !== "RUNNING"}>
      Computing the claims and their Merkle trees. A million holders take about a minute. You can leave this
      page.
    </JobProgress>
  );
}
