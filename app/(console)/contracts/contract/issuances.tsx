"use client";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import Link from "next/link";
import type { ConsoleContractDetail } from "@/server/contracts/console-schema";
import type { ListedIssuance } from "@/server/ledger/list-issuances";
import { problemOf } from "../../../data/problem";
import { useTRPC, useTRPCClient } from "../../../data/trpc";
import { Amount, fractionDigits } from "../../../ui/amount";
import { Button } from "../../../ui/button";
import { type DataColumn, DataTable } from "../../../ui/data-table";
import { ErrorState } from "../../../ui/error-state";
import { IdText } from "../../../ui/id-text";
import { Instant } from "../../../ui/instant";
import { MoreRows } from "../../../ui/more-rows";
import { Skeleton } from "../../../ui/skeleton";
import { Section } from "../../batches/batch/section";
import { batchPath } from "../../batches/paths";
import { TYPE_LABELS } from "../../batches/status";
import { useStaff } from "../../staff";
import type { Question } from "./dialog-props";

interface IssuancesProps {
  contract: ConsoleContractDetail;
  ask: (question: Question) => void;
}

/** Everything the contract earned: grants by staff, and points issued for batches. */
export function Issuances({ contract, ask }: IssuancesProps) {
  const { role } = useStaff();
  const { query, issuances } = useIssuances(contract.address);
  const isPrefunded = contract.issuance === "PREFUNDED";
  return (
    <Section
      title="Issuances and grants"
      note={isPrefunded ? undefined : "Issued on demand, no grants needed"}
      actions={
        isPrefunded &&
        role === "admin" && (
          <Button size="small" onClick={() => ask({ kind: "grant" })}>
            <Plus aria-hidden size={13} />
            Grant points
          </Button>
        )
      }
    >
      {query.isPending && <Skeleton className="h-24 w-full" />}
      {query.isError && !query.data && (
        <ErrorState {...problemOf(query.error)} onRetry={() => void query.refetch()} />
      )}
      {query.data && issuances.length === 0 && (
        <p className="rounded-card border border-line bg-surface p-4 text-muted text-table">
          {isPrefunded
            ? "No grants yet. Batches are rejected until an admin grants points."
            : "Nothing issued yet. Points are issued when a batch needs them."}
        </p>
      )}
      {issuances.length > 0 && (
        <>
          <DataTable
            label="Issuances and grants table"
            columns={columnsOf(contract.address, issuances)}
            rows={issuances}
            keyOf={({ id }) => id}
            className="rounded-card border border-line bg-surface"
          />
          <MoreRows query={query} count={issuances.length} one="entry" many="entries" />
        </>
      )}
    </Section>
  );
}

function useIssuances(contractAddress: string) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const query = useInfiniteQuery({
    queryKey: trpc.console.contracts.issuances.infiniteQueryKey({ contractAddress }),
    queryFn: ({ pageParam, signal }) =>
      client.console.contracts.issuances.query({ contractAddress, cursor: pageParam }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.cursor,
  });
  return { query, issuances: query.data?.pages.flatMap((page) => page.issuances) ?? [] };
}

function columnsOf(contractAddress: string, issuances: ListedIssuance[]): DataColumn<ListedIssuance>[] {
  const fraction = fractionDigits(issuances.map(({ points }) => points));
  return [
    {
      id: "when",
      name: "Created",
      render: ({ createdAt }) => <Instant at={createdAt} className="whitespace-nowrap tabular-nums" />,
    },
    {
      id: "how",
      name: "Source",
      render: ({ grantedBy, approvedBy, batchId }) =>
        grantedBy ? (
          <span className="break-all">
            Granted by {grantedBy}
            {approvedBy && `, approved by ${approvedBy}`}
          </span>
        ) : (
          <span className="flex min-w-0 gap-1.5">
            <span className="whitespace-nowrap">For batch</span>
            <Link
              href={batchPath({ contractAddress, id: batchId! })}
              prefetch={false}
              className="block min-w-0 max-w-72 rounded-badge font-mono text-mono outline-offset-1 hover:text-accent"
            >
              <IdText value={batchId!} />
            </Link>
          </span>
        ),
    },
    { id: "type", name: "Type", render: ({ pointType }) => TYPE_LABELS[pointType] },
    {
      id: "points",
      name: "Amount",
      right: true,
      render: ({ points }) => <Amount value={points} fraction={fraction} />,
    },
  ];
}
