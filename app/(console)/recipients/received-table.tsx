"use client";
import Link from "next/link";
import { BatchLink } from "@/app/(console)/batch-link";
import { batchPath } from "@/app/(console)/batches/paths";
import { personName, TYPE_LABELS } from "@/app/(console)/batches/status";
import { Countdown, ReversalStatus, StatusBadge } from "@/app/(console)/batches/status-badge";
import { contractPath } from "@/app/(console)/contracts/paths";
import { Amount, AmountHeading, fractionDigits } from "@/app/ui/amount";
import { amountColumn, type DataColumn, DataTable } from "@/app/ui/data-table";
import { IdText } from "@/app/ui/hash-text";
import { Instant, When } from "@/app/ui/time";
import type { ReceivedTransfer } from "@/server/recipients/schema";

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
        <BatchLink contractAddress={contractAddress} id={batchId} className="max-w-40" />
      ),
    },
    {
      name: "Contract",
      render: ({ contractAddress, contractLabel }) => (
        <Link
          href={contractPath(contractAddress)}
          prefetch={false}
          title={contractAddress}
          className="block max-w-36 truncate rounded-badge text-muted outline-offset-1 hover:text-accent"
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
          <span className="wrap-anywhere min-w-0 max-w-72 text-label text-muted empty:hidden md:not-print:min-w-48">
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
    // After the transfer, in its point type. Muted if the transfer did not change it.
    ...(balances
      ? [
          amountColumn(
            "Balance",
            transfers,
            ({ running, pointType }) => running?.[pointType],
            ({ status }) => status !== "FINALIZED" && "text-muted",
          ),
        ]
      : []),
    { name: "Credited", render: ({ creditedAt }) => <When at={creditedAt} never="–" /> },
    { name: "Due", render: ({ finalizeAt }) => <When at={finalizeAt} /> },
    { name: "Created", render: ({ createdAt }) => <When at={createdAt} /> },
  ];
  return (
    <DataTable
      label="Transfers to the address"
      empty="No transfers match the filters."
      columns={columns}
      rows={transfers}
      keyOf={({ contractAddress, batchId }) => `${contractAddress}/${batchId}`}
    />
  );
}

interface AboutTransferProps {
  transfer: ReceivedTransfer;
  asOf: string;
}

const ReversalLink = (batch: { contractAddress: string; id: string }) => (
  <Link href={batchPath(batch)} prefetch={false} className="underline">
    <IdText value={batch.id} />
  </Link>
);

function ReversalText({ transfer: { contractAddress, reverses, reversedBy }, asOf }: AboutTransferProps) {
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

/** Why a transfer is not credited yet, or never will be. Nothing for a credited one. */
function WhyNotYet({ transfer, asOf }: AboutTransferProps) {
  const { status, heldAt, heldBy, holdReason, cancelledAt, cancelledBy, cancelReason } = transfer;
  const at = cancelledAt ?? heldAt;
  const by = cancelledBy ?? heldBy;
  const reason = cancelReason ?? holdReason;
  if (at)
    return (
      <>
        {cancelledAt ? "Cancelled" : "On hold since"} <Instant at={at} />
        {by && ` by ${personName(by)}`}
        {reason && `: ${reason}`}
      </>
    );
  return status === "PENDING" && <Countdown batch={transfer} asOf={asOf} lead="Due " />;
}
