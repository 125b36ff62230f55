import { type CsvColumns, countedColumns, csvFields } from "@/app/data/csv";
import type { ExportedBatch } from "@/server/batches/list/console-schema";

export const columnsOfBatches = (): CsvColumns<ExportedBatch> => ({
  status: ({ status }) => status,
  batch_id: ({ id }) => id,
  ...csvFields<ExportedBatch>("contractLabel", "contractAddress", "pointType"),
  transfers: ({ transferCount }) => String(transferCount),
  ...csvFields<ExportedBatch>("points", "createdAt", "finalizeAt", "updatedAt", "submittedBy", "finalizedAt"),
  ...csvFields<ExportedBatch>("cancelledAt", "cancelledBy", "cancelReason", "heldAt", "heldBy", "holdReason"),
  awaits_approval: ({ awaitsApproval }) => (awaitsApproval ? "yes" : ""),
  ...csvFields<ExportedBatch>("approvedAt", "approvedBy", "reverses"),
  metadata: ({ metadata }) => metadata && JSON.stringify(metadata),
  ...countedColumns<ExportedBatch>((batch) => batch),
});
