import { CircleCheck, Clock, Download, Undo2 } from "lucide-react";
import type { WalletTransfer } from "@/server/receipts/wallet-schema";
import { TYPE_LABELS } from "../(console)/batches/status";
import { Amount, fractionDigits } from "../ui/amount";
import { Badge } from "../ui/badge";
import { buttonLook } from "../ui/button-look";
import { type DataColumn, DataTable } from "../ui/data-table";
import { HashText } from "../ui/hash-text";
import { IdText } from "../ui/id-text";
import { Instant } from "../ui/instant";
import { receiptPath } from "./paths";
import { VerifyReceipt } from "./verify-receipt";

const LOOKS = {
  EXPECTED: { label: "Expected", tone: "pending", icon: Clock },
  RECEIVED: { label: "Received", tone: "finalized", icon: CircleCheck },
  TAKEN_BACK: { label: "Taken back", tone: "cancelled", icon: Undo2 },
} as const;

export function WalletTable({ address, transfers }: { address: string; transfers: WalletTransfer[] }) {
  const fraction = fractionDigits(transfers.map(({ points }) => points));
  const columns: DataColumn<WalletTransfer>[] = [
    {
      name: "State",
      render: ({ state }) => {
        const { label, tone, icon } = LOOKS[state];
        return (
          <Badge tone={tone} icon={icon}>
            {label}
          </Badge>
        );
      },
    },
    { name: "When", render: (transfer) => <When {...transfer} /> },
    {
      name: "From contract",
      render: ({ contractAddress }) => <HashText value={contractAddress} what="contract address" />,
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
            className={state === "TAKEN_BACK" ? "text-muted line-through" : "font-medium"}
          />{" "}
          <span className="text-label text-muted">{TYPE_LABELS[pointType]}</span>
        </span>
      ),
    },
    {
      name: "Receipt",
      render: (transfer) =>
        transfer.state === "EXPECTED" ? (
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
  if (at === null) return <span className="text-muted">not known yet</span>;
  return (
    <>
      {state === "EXPECTED" && <span className="text-muted">due </span>}
      <Instant at={at} className="tabular-nums" />
    </>
  );
}
