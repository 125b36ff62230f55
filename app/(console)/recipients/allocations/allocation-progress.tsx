"use client";
import { useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { startTransition, useEffect } from "react";
import { useTRPC } from "@/app/data/trpc";
import { Spinner } from "@/app/ui/button";
import type { AllocationOut } from "@/server/allocations/schema";

const EVERY_MS = 1_000;

/** While it is made. Afterwards the page is drawn again, also when it was deleted meanwhile. */
export function AllocationProgress({ allocation }: { allocation: AllocationOut }) {
  const trpc = useTRPC();
  const router = useRouter();
  const { data, isError } = useQuery(
    trpc.console.allocations.get.queryOptions(
      { allocationId: allocation.id },
      { initialData: allocation, refetchInterval: EVERY_MS, retry: false },
    ),
  );
  const hasEnded = isError || data.status !== "RUNNING";
  useEffect(() => {
    if (hasEnded) startTransition(() => router.refresh());
  }, [hasEnded, router]);
  return (
    <p role="status" className="note bg-finalizing-ground text-finalizing">
      <Spinner />
      <span className="min-w-0">
        Computing the claims and their Merkle trees. A million holders take about a minute. You can leave this
        page.
      </span>
    </p>
  );
}
