"use client";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import type { ConsoleBatch } from "@/server/batches/list/console-schema";
import { problemOf } from "../../../data/problem";
import { useTRPC } from "../../../data/trpc";
import { Amount, fractionDigits } from "../../../ui/amount";
import { buttonLook } from "../../../ui/button";
import { type DataColumn, DataTable } from "../../../ui/data-table";
import { ErrorState } from "../../../ui/error-state";
import { IdText } from "../../../ui/id-text";
import { Instant } from "../../../ui/instant";
import { Skeleton } from "../../../ui/skeleton";
import { Section } from "../../batches/batch/section";
import { batchPath } from "../../batches/paths";
import { isOpen, TYPE_LABELS } from "../../batches/status";
import { Countdown, StatusBadge } from "../../batches/status-badge";
import { RECENT_BATCHES } from "./recent-batches-count";

const EVERY_MS = 5_000;

export function RecentBatches({ contractAddress }: { contractAddress: string }) {
  const trpc = useTRPC();
  const recent = useQuery(
    trpc.console.batches.list.queryOptions(
      { contractAddress, limit: RECENT_BATCHES },
      { refetchInterval: EVERY_MS },
    ),
  );
  return (
    <Section
      title="Recent batches"
      actions={
        <Link href={`/batches?contract=${contractAddress}`} className={buttonLook({ size: "small" })}>
          View all batches
        </Link>
      }
    >
      {recent.isPending && <Skeleton className="h-40 w-full" />}
      {recent.isError && !recent.data && (
        <ErrorState {...problemOf(recent.error)} onRetry={() => void recent.refetch()} />
      )}
      {recent.data?.batches.length === 0 && (
        <p className="rounded-card border border-line bg-surface p-4 text-muted text-table">
          No batches yet. Create an access token below to get a first request to run.
        </p>
      )}
      {recent.data && recent.data.batches.length > 0 && (
        <DataTable
          label="Recent batches table"
          columns={columnsOf(recent.data.batches, recent.data.now)}
          rows={recent.data.batches}
          keyOf={({ id }) => id}
          className="rounded-card border border-line bg-surface"
        />
      )}
    </Section>
  );
}

function columnsOf(batches: ConsoleBatch[], asOf: string): DataColumn<ConsoleBatch>[] {
  const fraction = fractionDigits(batches.map(({ points }) => points));
  return [
    {
      id: "id",
      name: "Batch",
      render: (batch) => (
        <Link
          href={batchPath(batch)}
          prefetch={false}
          title={batch.id}
          aria-label={batch.id}
          className="block max-w-60 rounded-badge font-medium font-mono text-mono outline-offset-1 hover:text-accent"
        >
          <IdText value={batch.id} />
        </Link>
      ),
    },
    { id: "status", name: "Status", render: (batch) => <StatusBadge batch={batch} asOf={asOf} compact /> },
    { id: "type", name: "Type", render: ({ pointType }) => TYPE_LABELS[pointType] },
    {
      id: "transfers",
      name: "Transfers",
      right: true,
      render: ({ transferCount }) => <Amount value={String(transferCount)} />,
    },
    {
      id: "points",
      name: "Amount",
      right: true,
      render: ({ points }) => <Amount value={points} fraction={fraction} />,
    },
    {
      id: "created",
      name: "Created",
      render: ({ createdAt }) => <Instant at={createdAt} className="whitespace-nowrap tabular-nums" />,
    },
    {
      id: "due",
      name: "Due",
      render: (batch) =>
        isOpen(batch) ? (
          <Countdown batch={batch} asOf={asOf} />
        ) : (
          <Instant at={batch.finalizeAt} className="whitespace-nowrap text-muted tabular-nums" />
        ),
    },
  ];
}
