import { CircleCheck, Clock, Download, Hourglass, Undo2 } from "lucide-react";
import { Amount, fractionDigits } from "@/app/ui/amount";
import { Badge } from "@/app/ui/badge";
import { buttonLook } from "@/app/ui/button-look";
import { HashText } from "@/app/ui/hash-text";
import { IdText } from "@/app/ui/id-text";
import { Instant } from "@/app/ui/instant";
import type { WalletTransfer } from "@/server/receipts/schema";
import { TYPE_LABELS } from "../(console)/batches/status";
import { type DataColumn, DataTable } from "../ui/data-table";
import { receiptPath } from "./paths";
import { VerifyReceipt } from "./verify-receipt";

const LOOKS = {
  EXPECTED: { label: "Expected", tone: "pending", icon: Clock },
  DELAYED: { label: "Delayed", tone: "cancelled", icon: Hourglass },
  RECEIVED: { label: "Received", tone: "finalized", icon: CircleCheck },
  TAKEN_BACK: { label: "Taken back", tone: "cancelled", icon: Undo2 },
} as const;

export function WalletTable({ address, transfers }: { address: string; transfers: WalletTransfer[] }) {
  const fraction = fractionDigits(transfers.map(({ points }) => points));
  const columns: DataColumn<WalletTransfer>[] = [
    {
      name: "State",
      render: (transfer) => {
        const { label, tone, icon } = LOOKS[transfer.state];
        return (
          <span className="flex flex-col items-start gap-0.5 py-0.5 max-md:w-full max-md:flex-row max-md:items-baseline max-md:justify-between">
            <Badge tone={tone} icon={icon}>
              {label}
            </Badge>
            <span className="text-label text-muted">
              <When {...transfer} />
            </span>
          </span>
        );
      },
    },
    {
      name: "Submitted",
      sorted: "descending",
      render: ({ createdAt }) => <Instant at={createdAt} className="tabular-nums" />,
    },
    {
      name: "From contract",
      render: ({ contractLabel, contractAddress }) => (
        <span className="flex min-w-0 flex-col max-md:items-end max-md:text-right">
          <span className="wrap-anywhere">{contractLabel}</span>
          <HashText value={contractAddress} what="contract address" className="text-muted" />
        </span>
      ),
    },
    {
      name: "Batch",
      render: ({ batchId }) => (
        <span title={batchId} className="block max-w-40 font-mono text-mono">
          <IdText value={batchId} />
        </span>
      ),
    },
    {
      name: "Amount",
      right: true,
      render: ({ points, pointType, state }) => (
        <span className="whitespace-nowrap">
          <Amount
            value={points}
            fraction={fraction}
            className={
              state === "TAKEN_BACK" ? "text-muted line-through [&_span]:line-through" : "font-medium"
            }
          />{" "}
          <span className="text-label text-muted">{TYPE_LABELS[pointType]}</span>
        </span>
      ),
    },
    {
      name: "Receipt",
      render: (transfer) =>
        transfer.state === "EXPECTED" || transfer.state === "DELAYED" ? (
          <span className="text-muted">–</span>
        ) : (
          <span className="flex gap-1 print:hidden">
            <VerifyReceipt address={address} transfer={transfer} />
            <a
              href={receiptPath(address, transfer)}
              download
              aria-label={`Download the receipt of ${transfer.batchId}`}
              className={buttonLook({ size: "small" })}
            >
              <Download aria-hidden size={13} />
              Download
            </a>
          </span>
        ),
    },
  ];
  return (
    <DataTable
      label="Transfers to the wallet"
      columns={columns}
      rows={transfers}
      keyOf={({ contractAddress, batchId }) => `${contractAddress}/${batchId}`}
      className="rounded-card border border-line bg-surface"
    />
  );
}

function When({ state, at }: WalletTransfer) {
  if (at === null) return "time not known yet";
  return (
    <>
      {state === "EXPECTED" && "due "}
      <Instant at={at} className="tabular-nums" />
    </>
  );
}
