import type { CsvColumns } from "@/app/data/csv";
import type { ConsoleBatchDetail, ConsoleTransfer } from "@/server/batches/list/console-schema";
import type { ExportedTransfers } from "@/server/statements/export-transfers";

// New batch reads both files: their names leave no doubt which columns are the address and the amount.

/** The transfers of one batch. Each row names it, so that files can be put together. */
export const columnsOfBatch = (batch: ConsoleBatchDetail): CsvColumns<ConsoleTransfer> => ({
  row: ({ position }) => String(position + 1),
  to_address: ({ toAddress }) => toAddress,
  label: ({ label }) => label,
  points: ({ points }) => points,
  point_type: () => batch.pointType,
  batch_id: () => batch.id,
  contract_label: () => batch.contractLabel,
  contract_address: () => batch.contractAddress,
  reverses: () => batch.reverses,
});

/** A transfer of a contract's batches. */
export interface TransferRow {
  batch: ExportedTransfers;
  transfer: ExportedTransfers["transfers"][number];
  position: number;
}

export const columnsOfContract = (contractAddress: string): CsvColumns<TransferRow> => ({
  batch_id: ({ batch }) => batch.batchId,
  contract_address: () => contractAddress,
  position: ({ position }) => String(position),
  to_address: ({ transfer }) => transfer.toAddress,
  point_type: ({ batch }) => batch.pointType,
  points: ({ transfer }) => transfer.points,
  status: ({ batch }) => batch.status,
  created_at: ({ batch }) => batch.createdAt,
  finalize_at: ({ batch }) => batch.finalizeAt,
  finalized_at: ({ batch }) => batch.finalizedAt,
  submitted_by: ({ batch }) => batch.submittedBy,
  cancelled_at: ({ batch }) => batch.cancelledAt,
  cancelled_by: ({ batch }) => batch.cancelledBy,
  cancel_reason: ({ batch }) => batch.cancelReason,
  reverses: ({ batch }) => batch.reverses,
});
