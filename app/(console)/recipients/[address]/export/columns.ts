import type { CsvColumns } from "@/app/data/csv";
import type { ExportedTransfer } from "@/server/recipients/export-received";

/** The columns of the transfers to an address. */
export const receivedColumns = (address: string): CsvColumns<ExportedTransfer> => ({
  to_address: () => address,
  created_at: ({ createdAt }) => createdAt,
  status: ({ status }) => status,
  contract_label: ({ contractLabel }) => contractLabel,
  contract_address: ({ contractAddress }) => contractAddress,
  batch_id: ({ batchId }) => batchId,
  point_type: ({ pointType }) => pointType,
  points: ({ points }) => points,
  points_balance: ({ running }) => running.PHASE2_POINTS,
  gold_balance: ({ running }) => running.PHASE2_GOLD,
  finalize_at: ({ finalizeAt }) => finalizeAt,
  held_at: ({ heldAt }) => heldAt,
  held_by: ({ heldBy }) => heldBy,
  hold_reason: ({ holdReason }) => holdReason,
  awaits_approval: ({ awaitsApproval }) => (awaitsApproval ? "yes" : null),
  finalized_at: ({ creditedAt }) => creditedAt,
  cancelled_at: ({ cancelledAt }) => cancelledAt,
  cancelled_by: ({ cancelledBy }) => cancelledBy,
  cancel_reason: ({ cancelReason }) => cancelReason,
  reverses: ({ reverses }) => reverses,
  reversed_by: ({ reversedBy }) => reversedBy?.id,
  reversal_status: ({ reversedBy }) => reversedBy?.status,
  reversal_finalize_at: ({ reversedBy }) => reversedBy?.finalizeAt,
});
