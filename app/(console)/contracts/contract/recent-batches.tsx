"use client";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import type { ConsoleBatch } from "@/server/batches/list/console-schema";
import { useTRPC } from "../../../data/trpc";
import { Amount, fractionDigits } from "../../../ui/amount";
import { ButtonLink } from "../../../ui/button-link";
import { type DataColumn, DataTable } from "../../../ui/data-table";
import { EmptyNote } from "../../../ui/empty-state";
import { IdText } from "../../../ui/id-text";
import { Instant, When } from "../../../ui/instant";
import { Loaded } from "../../../ui/loaded";
import { Skeleton } from "../../../ui/skeleton";
import { Section } from "../../batches/batch/section";
import { batchPath } from "../../batches/paths";
import { isOpen, TYPE_LABELS } from "../../batches/status";
import { Countdown, StatusBadge } from "../../batches/status-badge";
import { RECENT_BATCHES } from "./recent-batches-count";

const REFETCH_MS = 5_000;

export function RecentBatches({ contractAddress }: { contractAddress: string }) {
  const trpc = useTRPC();
  const recent = useQuery(
    trpc.console.batches.list.queryOptions(
      { contractAddress, limit: RECENT_BATCHES },
      { refetchInterval: REFETCH_MS },
    ),
  );
  return (
    <Section
      title="Recent batches"
      actions={
        <ButtonLink href={`/batches?contract=${contractAddress}`} size="small">
          View all batches
        </ButtonLink>
      }
    >
      <Loaded query={recent} skeleton={<Skeleton className="h-40 w-full" />}>
        {({ batches, now }) =>
          batches.length > 0 ? (
            <DataTable
              label="Recent batches table"
              columns={columnsOf(batches, now)}
              rows={batches}
              keyOf={({ id }) => id}
              className="rounded-card border border-line bg-surface"
            />
          ) : (
            <EmptyNote>No batches yet. Create an access token below to get a first request to run.</EmptyNote>
          )
        }
      </Loaded>
    </Section>
  );
}

function columnsOf(batches: ConsoleBatch[], asOf: string): DataColumn<ConsoleBatch>[] {
  const fraction = fractionDigits(batches.map(({ points }) => points));
  return [
    {
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
    { name: "Status", render: (batch) => <StatusBadge batch={batch} asOf={asOf} compact /> },
    { name: "Type", render: ({ pointType }) => TYPE_LABELS[pointType] },
    {
      name: "Transfers",
      right: true,
      render: ({ transferCount }) => <Amount value={String(transferCount)} />,
    },
    {
      name: "Amount",
      right: true,
      render: ({ points }) => <Amount value={points} fraction={fraction} />,
    },
    {
      name: "Created",
      render: ({ createdAt }) => <When at={createdAt} />,
    },
    {
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
