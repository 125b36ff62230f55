"use client";
import Link from "next/link";
import type { ReceivedTransfer } from "@/server/recipients/console-schema";
import { Amount, fractionDigits } from "../../ui/amount";
import { type DataColumn, DataTable } from "../../ui/data-table";
import { IdText } from "../../ui/id-text";
import { When } from "../../ui/instant";
import { AmountHeading } from "../batches/batch/section";
import { batchPath } from "../batches/paths";
import { TYPE_LABELS } from "../batches/status";
import { ReversalStatus, StatusBadge } from "../batches/status-badge";
import { contractPath } from "../contracts/paths";
import { WhyNotYet } from "./why-not-yet";

const LINK = "block truncate rounded-badge outline-offset-1 hover:text-accent";
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
      render: ({ contractAddress, batchId }) => (
        <Link
          href={batchPath({ contractAddress, id: batchId })}
          prefetch={false}
          title={batchId}
          aria-label={batchId}
          className={`${LINK} max-w-40 font-mono text-mono`}
        >
          <IdText value={batchId} />
        </Link>
      ),
    },
    {
      name: "Contract",
      render: ({ contractAddress, contractLabel }) => (
        <Link
          href={contractPath(contractAddress)}
          prefetch={false}
          title={contractAddress}
          className={`${LINK} max-w-36 text-muted`}
        >
          {contractLabel}
        </Link>
      ),
    },
    {
      name: "Status",
      render: (transfer) => (
        <span className="flex flex-wrap items-center gap-x-2 gap-y-0.5 max-md:justify-end max-md:text-right">
          <StatusBadge batch={transfer} asOf={asOf} />
          <span className="wrap-anywhere min-w-0 max-w-72 text-label text-muted empty:hidden">
            <WhyNotYet transfer={transfer} asOf={asOf} />
            <ReversalText transfer={transfer} asOf={asOf} />
          </span>
        </span>
      ),
    },
    {
      name: "Amount",
      heading: <AmountHeading name="Amount" fraction={fraction} unit />,
      right: true,
      render: ({ points, pointType, status, reverses }) => (
        <span className="whitespace-nowrap">
          <Amount
            value={points}
            minus={reverses !== null}
            fraction={fraction}
            className={status === "CANCELLED" ? "text-muted" : "font-medium"}
          />{" "}
          <span className="inline-block w-9 text-left text-label text-muted">{TYPE_LABELS[pointType]}</span>
        </span>
      ),
    },
    ...(balances ? [balanceColumn(transfers)] : []),
    {
      name: "Credited",
      render: ({ creditedAt }) => (creditedAt ? <When at={creditedAt} /> : NONE),
    },
    { name: "Due", render: ({ finalizeAt }) => <When at={finalizeAt} /> },
    { name: "Created", render: ({ createdAt }) => <When at={createdAt} /> },
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

interface ReversalTextProps {
  transfer: ReceivedTransfer;
  asOf: string;
}

const ReversalLink = (batch: { contractAddress: string; id: string }) => (
  <Link href={batchPath(batch)} prefetch={false} className="underline">
    <IdText value={batch.id} />
  </Link>
);

function ReversalText({ transfer: { contractAddress, reverses, reversedBy }, asOf }: ReversalTextProps) {
  if (reverses)
    return (
      <>
        Reversal of <ReversalLink contractAddress={contractAddress} id={reverses} />
      </>
    );
  if (!reversedBy) return null;
  return (
    <ReversalStatus reversal={reversedBy} asOf={asOf}>
      <ReversalLink contractAddress={contractAddress} id={reversedBy.id} />
    </ReversalStatus>
  );
}

/** The balance after the transfer, in its point type. Muted if the transfer did not change it. */
function balanceColumn(transfers: ReceivedTransfer[]): DataColumn<ReceivedTransfer> {
  const fraction = fractionDigits(transfers.map(({ running, pointType }) => running?.[pointType] ?? "0"));
  return {
    name: "Balance",
    heading: <AmountHeading name="Balance" fraction={fraction} />,
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
