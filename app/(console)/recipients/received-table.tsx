"use client";
import Link from "next/link";
import { POINT_TYPES } from "@/server/kernel/values/point-types";
import type { ReceivedTransfer } from "@/server/recipients/console-schema";
import { Amount, fractionDigits } from "../../ui/amount";
import { type DataColumn, DataTable } from "../../ui/data-table";
import { IdText } from "../../ui/id-text";
import { Instant } from "../../ui/instant";
import { batchPath } from "../batches/list-params";
import { TYPE_LABELS } from "../batches/status";
import { StatusBadge } from "../batches/status-badge";
import { contractPath } from "../contracts/paths";

const LINK = "block truncate rounded-badge outline-offset-1 hover:text-accent";

export function ReceivedTable({ transfers, asOf }: { transfers: ReceivedTransfer[]; asOf: string }) {
  const fraction = fractionDigits(transfers.map(({ points }) => points));
  const columns: DataColumn<ReceivedTransfer>[] = [
    {
      id: "created",
      name: "Created",
      render: ({ createdAt }) => <Instant at={createdAt} className="whitespace-nowrap tabular-nums" />,
    },
    {
      id: "status",
      name: "Status",
      render: (transfer) => <StatusBadge batch={transfer} asOf={asOf} />,
    },
    {
      id: "from",
      name: "From",
      render: ({ contractAddress, contractLabel }) => (
        <Link
          href={contractPath(contractAddress)}
          prefetch={false}
          title={contractAddress}
          className={`${LINK} max-w-44`}
        >
          {contractLabel}
        </Link>
      ),
    },
    {
      id: "batch",
      name: "Batch",
      render: ({ contractAddress, batchId }) => (
        <Link
          href={batchPath({ contractAddress, id: batchId })}
          prefetch={false}
          title={batchId}
          aria-label={batchId}
          className={`${LINK} max-w-52 font-mono text-mono`}
        >
          <IdText value={batchId} />
        </Link>
      ),
    },
    { id: "type", name: "Type", render: ({ pointType }) => TYPE_LABELS[pointType] },
    {
      id: "points",
      name: "Amount",
      right: true,
      render: ({ points, status }) => (
        <Amount
          value={points}
          fraction={fraction}
          className={status === "CANCELLED" ? "text-muted" : "font-medium"}
        />
      ),
    },
    ...POINT_TYPES.map((type) => runningColumn(transfers, type)),
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

/** Muted where the row did not change the balance. */
function runningColumn(
  transfers: ReceivedTransfer[],
  type: (typeof POINT_TYPES)[number],
): DataColumn<ReceivedTransfer> {
  const fraction = fractionDigits(transfers.map(({ running }) => running?.[type] ?? "0"));
  return {
    id: `running ${type}`,
    name: `${TYPE_LABELS[type]} balance`,
    right: true,
    render: ({ running, pointType, status }) =>
      running ? (
        <Amount
          value={running[type]}
          fraction={fraction}
          className={pointType === type && status === "FINALIZED" ? undefined : "text-muted"}
        />
      ) : (
        <span className="text-muted">–</span>
      ),
  };
}
