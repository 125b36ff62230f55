import { type CsvColumns, countedColumns, csvFields } from "@/app/data/csv";
import type { BulkItem } from "@/server/batches/bulk/schema";
import type { ExportedBatch } from "@/server/batches/list/export-batches";

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

/** The batches of a bulk job. */
export const columnsOfJob = (): CsvColumns<BulkItem> => ({
  ...csvFields<BulkItem>("batchId", "contractLabel", "contractAddress", "pointType"),
  transfers: ({ transferCount }) => String(transferCount),
  ...csvFields<BulkItem>("points"),
  /** `OPEN` until the job has processed it. */
  result: ({ result }) => result ?? "OPEN",
  ...csvFields<BulkItem>("resultAt"),
  reason: ({ why }) => why,
  reason_by: ({ whyBy }) => whyBy,
  reason_since: ({ whyAt }) => whyAt,
  ...countedColumns<BulkItem>((item) => ({ ...item, reverses: item.reversesSeq })),
});
