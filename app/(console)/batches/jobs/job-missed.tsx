"use client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useState } from "react";
import { Amount } from "@/app/ui/amount";
import { Button } from "@/app/ui/button";
import { ErrorState } from "@/app/ui/error-state";
import { Instant } from "@/app/ui/instant";
import { Section } from "@/app/ui/section";
import type { BulkItem, BulkJob } from "@/server/batches/bulk/schema";
import { problemOf } from "../../../data/problem";
import { useTRPC } from "../../../data/trpc";
import { DataTable } from "../../../ui/data-table";
import { personName } from "../caller-names";
import { batchPath } from "../paths";
import { obstacleWords } from "../selection/bulk-words";
import { TYPE_LABELS } from "../status";
import { progressOf } from "./job-state";

const PAGE_ROWS = 50;

/** The batches that the job could not change, each with its reason. */
export function JobMissed({ job }: { job: BulkJob }) {
  const trpc = useTRPC();
  const { missed } = progressOf(job);
  const [from, setFrom] = useState<number[]>([]);
  const page = useQuery(
    trpc.console.bulk.items.queryOptions(
      { jobId: job.id, results: ["OVERTAKEN", "FAILED"], limit: PAGE_ROWS, cursor: from.at(-1) ?? null },
      { enabled: missed > 0, placeholderData: keepPreviousData, staleTime: 0 },
    ),
  );
  if (missed === 0) return null;
  if (page.isError && !page.data)
    return <ErrorState {...problemOf(page.error)} onRetry={() => void page.refetch()} />;
  const next = page.data?.cursor ?? null;
  return (
    <Section title="Not changed">
      <DataTable
        className="rounded-card border border-line bg-surface"
        label="Batches that were not changed"
        rows={page.data?.items ?? []}
        keyOf={({ position }) => String(position)}
        columns={[
          {
            id: "batch",
            name: "Batch",
            render: (item) => (
              <Link
                href={batchPath(item)}
                prefetch={false}
                className="break-all font-mono text-mono hover:text-accent"
              >
                {item.batchId}
              </Link>
            ),
          },
          { id: "contract", name: "Contract", render: ({ contractLabel }) => contractLabel },
          {
            id: "amount",
            name: "Amount",
            right: true,
            render: (item) => (
              <>
                <Amount value={item.points} />{" "}
                <span className="text-muted">{TYPE_LABELS[item.pointType]}</span>
              </>
            ),
          },
          { id: "why", name: "Reason", render: (item) => <Why item={item} /> },
        ]}
      />
      {(from.length > 0 || next !== null) && (
        <div className="mt-2 flex gap-2">
          <Button size="small" disabled={from.length === 0} onClick={() => setFrom(from.slice(0, -1))}>
            Previous
          </Button>
          <Button size="small" disabled={next === null} onClick={() => setFrom([...from, next!])}>
            Next
          </Button>
        </div>
      )}
    </Section>
  );
}

function Why({ item: { why, whyBy, whyAt } }: { item: BulkItem }) {
  return (
    <span className="wrap-anywhere">
      {why && obstacleWords(why)}
      {whyAt && (
        <>
          {" "}
          since <Instant at={whyAt} className="tabular-nums" />
        </>
      )}
      {whyBy && whyBy !== "finalizer" && ` by ${personName(whyBy)}`}
    </span>
  );
}
