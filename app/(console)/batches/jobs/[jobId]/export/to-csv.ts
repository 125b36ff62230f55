import { type CsvColumns, csvFields } from "@/app/data/csv";
import type { BulkItem } from "@/server/batches/bulk/schema";

export const REPORT_COLUMNS: CsvColumns<BulkItem> = {
  batch_id: (item) => item.batchId,
  ...csvFields<BulkItem>("contractLabel", "contractAddress", "pointType"),
  transfers: (item) => String(item.transferCount),
  points: (item) => item.points,
  /** `OPEN` until the job has processed it. */
  result: (item) => item.result ?? "OPEN",
  result_at: (item) => item.resultAt,
  reason: (item) => item.why,
  reason_by: (item) => item.whyBy,
  reason_since: (item) => item.whyAt,
};
