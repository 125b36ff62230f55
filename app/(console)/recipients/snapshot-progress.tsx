"use client";
import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/app/data/trpc";
import { counted } from "@/app/ui/amount";
import type { ConsoleSnapshot } from "@/server/snapshots/console-snapshots";
import { JobProgress, WHILE_RUNNING } from "./job-progress";

/** While it is taken. */
export function SnapshotProgress({ snapshot }: { snapshot: ConsoleSnapshot }) {
  const { snapshots } = useTRPC().console;
  const { data, isError } = useQuery(
    snapshots.get.queryOptions({ snapshotId: snapshot.id }, { initialData: snapshot, ...WHILE_RUNNING }),
  );
  return (
    <JobProgress hasEnded={isError || data.status !== "RUNNING"}>
      Taking the snapshot “{snapshot.name}”:{" "}
      <span className="tabular-nums">{counted(data.holders, "holder", "holders")}</span> stored so far. You
      can leave this page.
    </JobProgress>
  );
}
