"use client";
import Link from "next/link";
import type { ReceivedTransfer } from "@/server/recipients/console-schema";
import { Amount, fractionDigits } from "../../ui/amount";
import { type DataColumn, DataTable } from "../../ui/data-table";
import { IdText } from "../../ui/id-text";
import { Instant } from "../../ui/instant";
import { batchPath } from "../batches/paths";
import { TYPE_LABELS } from "../batches/status";
import { ReversalStatus, StatusBadge } from "../batches/status-badge";
import { contractPath } from "../contracts/paths";
import { WhyNotYet } from "./why-not-yet";

/** Two links on top of each other are at least 24 pixels high each. */
const LINK = "block truncate rounded-badge leading-6! outline-offset-1 hover:text-accent";
const NONE = <span className="text-muted">–</span>;

interface ReceivedTableProps {
  transfers: ReceivedTransfer[];
  asOf: string;
  /** False for a filtered list: balances count all transfers. */
  balances: boolean;
}

export function ReceivedTable({ transfers, asOf, balances }: ReceivedTableProps) {
  const fraction = fractionDigits(transfers.map(({ points }) => points));
  const columns: DataColumn<ReceivedTransfer>[] = [
    {
      name: "Batch",
      render: ({ contractAddress, contractLabel, batchId, reverses, reversedBy }) => (
        <span className="flex min-w-0 flex-col max-md:w-full">
          <Link
            href={batchPath({ contractAddress, id: batchId })}
            prefetch={false}
            title={batchId}
            aria-label={batchId}
            className={`${LINK} max-w-40 font-mono text-mono`}
          >
            <IdText value={batchId} />
          </Link>
          <Link
            href={contractPath(contractAddress)}
            prefetch={false}
            title={contractAddress}
            className={`${LINK} max-w-40 text-label text-muted`}
          >
            {contractLabel}
          </Link>
          {reverses && (
            <span className="text-label text-muted">
              Reversal of <ReversalLink contractAddress={contractAddress} id={reverses} />
            </span>
          )}
          {reversedBy && (
            <span className="max-w-60 text-label text-muted">
              <ReversalStatus reversal={reversedBy} asOf={asOf}>
                <ReversalLink contractAddress={contractAddress} id={reversedBy.id} />
              </ReversalStatus>
            </span>
          )}
        </span>
      ),
    },
    {
      name: "Status",
      render: (transfer) => (
        <span className="flex flex-col items-start gap-0.5 py-0.5 max-md:items-end max-md:text-right">
          <StatusBadge batch={transfer} asOf={asOf} />
          <span className="wrap-anywhere max-w-72 text-label text-muted">
            <WhyNotYet transfer={transfer} asOf={asOf} />
          </span>
        </span>
      ),
    },
    { name: "Created", render: ({ createdAt }) => <When at={createdAt} /> },
    { name: "Due", render: ({ finalizeAt }) => <When at={finalizeAt} /> },
    {
      name: "Credited",
      render: ({ creditedAt }) => (creditedAt ? <When at={creditedAt} /> : NONE),
    },
    {
      name: "Amount",
      right: true,
      render: ({ points, pointType, status, reverses }) => (
        <span className="flex flex-col items-end">
          <span className="whitespace-nowrap">
            <Amount
              value={points}
              minus={reverses !== null}
              fraction={fraction}
              className={status === "CANCELLED" ? "text-muted" : "font-medium"}
            />
          </span>
          <span className="text-label text-muted">{TYPE_LABELS[pointType]}</span>
        </span>
      ),
    },
    ...(balances ? [balanceColumn(transfers)] : []),
  ];
  return (
    <DataTable
      label="Transfers to the address"
      columns={columns}
      rows={transfers}
      keyOf={({ contractAddress, batchId }) => `${contractAddress}/${batchId}`}
      className="rounded-card border border-line bg-surface"
    />
  );
}

const ReversalLink = (batch: { contractAddress: string; id: string }) => (
  <Link href={batchPath(batch)} prefetch={false} className="underline">
    <IdText value={batch.id} />
  </Link>
);

/** Date and time may be on two lines, so that all columns fit. */
const When = ({ at }: { at: string }) => <Instant at={at} className="inline-block min-w-20 tabular-nums" />;

/** The balance after the transfer, in its point type. Muted if the transfer did not change it. */
function balanceColumn(transfers: ReceivedTransfer[]): DataColumn<ReceivedTransfer> {
  const fraction = fractionDigits(transfers.map(({ running, pointType }) => running?.[pointType] ?? "0"));
  return {
    name: "Balance",
    right: true,
    render: ({ running, pointType, status }) =>
      running ? (
        <Amount
          value={running[pointType]}
          fraction={fraction}
          className={status === "FINALIZED" ? undefined : "text-muted"}
        />
      ) : (
        NONE
      ),
  };
}
