"use client";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import Link from "next/link";
import type { ConsoleContractDetail } from "@/server/contracts/console-schema";
import type { ListedIssuance } from "@/server/ledger/issuances";
import { pagedQuery } from "../../../data/paged-query";
import { useTRPC, useTRPCClient } from "../../../data/trpc";
import { Amount, fractionDigits } from "../../../ui/amount";
import { Button } from "../../../ui/button";
import { type DataColumn, DataTable } from "../../../ui/data-table";
import { EmptyNote } from "../../../ui/empty-state";
import { IdText } from "../../../ui/id-text";
import { When } from "../../../ui/instant";
import { Loaded } from "../../../ui/loaded";
import { MoreRows } from "../../../ui/more-rows";
import { Skeleton } from "../../../ui/skeleton";
import { Section } from "../../batches/batch/section";
import { batchPath } from "../../batches/paths";
import { TYPE_LABELS } from "../../batches/status";
import { useStaff } from "../../staff";
import type { ContractDialog } from "./contract-dialog";

interface IssuancesProps {
  contract: ConsoleContractDetail;
  openDialog: (dialog: ContractDialog) => void;
}

/** Grants by staff, and points issued for batches. */
export function Issuances({ contract, openDialog }: IssuancesProps) {
  const { role } = useStaff();
  const query = useIssuances(contract.address);
  const isPrefunded = contract.issuance === "PREFUNDED";
  return (
    <Section
      title="Issuances and grants"
      note={isPrefunded ? undefined : "Issued on demand, no grants needed"}
      actions={
        isPrefunded &&
        role === "admin" && (
          <Button size="small" icon={Plus} onClick={() => openDialog({ kind: "grant" })}>
            Grant points
          </Button>
        )
      }
    >
      <Loaded query={query} skeleton={<Skeleton className="h-24 w-full" />}>
        {({ pages }) => {
          const issuances = pages.flatMap((page) => page.issuances);
          if (issuances.length === 0)
            return (
              <EmptyNote>
                {isPrefunded
                  ? "No grants yet. Batches are rejected until an admin grants points."
                  : "Nothing issued yet. Points are issued when a batch needs them."}
              </EmptyNote>
            );
          return (
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
          );
        }}
      </Loaded>
    </Section>
  );
}

function useIssuances(contractAddress: string) {
  const keys = useTRPC().console.contracts.issuances;
  const { issuances } = useTRPCClient().console.contracts;
  const key = keys.infiniteQueryKey({ contractAddress });
  return useInfiniteQuery(
    pagedQuery(key, (cursor, options) => issuances.query({ contractAddress, cursor }, options)),
  );
}

function columnsOf(contractAddress: string, issuances: ListedIssuance[]): DataColumn<ListedIssuance>[] {
  const fraction = fractionDigits(issuances.map(({ points }) => points));
  return [
    {
      name: "Created",
      render: ({ createdAt }) => <When at={createdAt} />,
    },
    {
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
    { name: "Type", render: ({ pointType }) => TYPE_LABELS[pointType] },
    {
      name: "Amount",
      right: true,
      render: ({ points }) => <Amount value={points} fraction={fraction} />,
    },
  ];
}
