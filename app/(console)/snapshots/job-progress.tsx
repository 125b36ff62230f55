"use client";
import { useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { type ReactNode, startTransition, useEffect } from "react";
import { useTRPC } from "@/app/data/trpc";
import { counted } from "@/app/ui/amount";
import { Spinner } from "@/app/ui/button";

const WHILE_RUNNING = { refetchInterval: 1_000, retry: false } as const;

interface JobProgressProps {
  of: "snapshot" | "allocation";
  id: string;
  children: ReactNode;
}

/** While a worker makes something. Afterwards, also when it was deleted, the page is drawn again. */
export function JobProgress({ of, id, children }: JobProgressProps) {
  const { snapshots, allocations } = useTRPC().console;
  const isSnapshot = of === "snapshot";
  const snapshot = useQuery(
    snapshots.get.queryOptions({ snapshotId: id }, { ...WHILE_RUNNING, enabled: isSnapshot }),
  );
  const allocation = useQuery(
    allocations.get.queryOptions({ allocationId: id }, { ...WHILE_RUNNING, enabled: !isSnapshot }),
  );
  const { data, isError } = isSnapshot ? snapshot : allocation;
  const hasEnded = isError || (data !== undefined && data.status !== "RUNNING");
  const router = useRouter();
  useEffect(() => {
    if (hasEnded) startTransition(() => router.refresh());
  }, [hasEnded, router]);
  return (
    <p role="status" className="note bg-finalizing-ground text-finalizing">
      <Spinner />
      <span className="min-w-0">
        {children}
        {snapshot.data && (
          <span className="tabular-nums"> {counted(snapshot.data.holders, "holder", "holders")} stored.</span>
        )}{" "}
        You can leave this page.
      </span>
    </p>
  );
}
