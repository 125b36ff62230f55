import { type CsvColumns, countedColumns, csvFields } from "@/app/data/csv";
import type { ExportedTransfer } from "@/server/recipients/export-received";

export const receivedColumns = (address: string): CsvColumns<ExportedTransfer> => ({
  to_address: () => address,
  ...csvFields<ExportedTransfer>("createdAt", "status", "contractLabel", "contractAddress", "batchId"),
  ...csvFields<ExportedTransfer>("pointType", "points"),
  points_balance: ({ running }) => running.PHASE2_POINTS,
  gold_balance: ({ running }) => running.PHASE2_GOLD,
  ...csvFields<ExportedTransfer>("finalizeAt", "heldAt", "heldBy", "holdReason"),
  awaits_approval: ({ awaitsApproval }) => (awaitsApproval ? "yes" : null),
  finalized_at: ({ creditedAt }) => creditedAt,
  ...csvFields<ExportedTransfer>("cancelledAt", "cancelledBy", "cancelReason", "reverses"),
  reversed_by: ({ reversedBy }) => reversedBy?.id,
  reversal_status: ({ reversedBy }) => reversedBy?.status,
  reversal_finalize_at: ({ reversedBy }) => reversedBy?.finalizeAt,
  ...countedColumns<ExportedTransfer>((transfer) => transfer),
});
