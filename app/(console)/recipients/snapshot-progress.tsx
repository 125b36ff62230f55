"use client";
import { useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { startTransition, useEffect } from "react";
import { useTRPC } from "@/app/data/trpc";
import { counted } from "@/app/ui/amount";
import { Spinner } from "@/app/ui/button";
import type { ConsoleSnapshot } from "@/server/snapshots/console-snapshots";

const EVERY_MS = 1_000;

/** While it is taken. Afterwards the page is drawn again, also when it was deleted meanwhile. */
export function SnapshotProgress({ snapshot }: { snapshot: ConsoleSnapshot }) {
  const trpc = useTRPC();
  const router = useRouter();
  const { data, isError } = useQuery(
    trpc.console.snapshots.get.queryOptions(
      { snapshotId: snapshot.id },
      { initialData: snapshot, refetchInterval: EVERY_MS, retry: false },
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
        Taking the snapshot “{snapshot.name}”:{" "}
        <span className="tabular-nums">{counted(data.holders, "holder", "holders")}</span> stored so far. You
        can leave this page.
      </span>
    </p>
  );
}
