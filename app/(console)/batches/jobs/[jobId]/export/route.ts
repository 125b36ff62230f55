import { type CsvColumns, csvFields } from "@/app/data/csv";
import { csvRoute } from "@/app/data/csv-reply";
import { exportBulkItems, getBulkJob } from "@/server/batches/bulk/jobs";
import type { BulkItem } from "@/server/batches/bulk/schema";
import { UUID_PATTERN } from "@/terms/batch-terms";
import { DomainError } from "@/terms/problems";

const columns: CsvColumns<BulkItem> = {
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

export const GET = (request: Request, { params }: { params: Promise<{ jobId: string }> }) =>
  csvRoute(request, async (ctx) => {
    const { jobId } = await params;
    if (!UUID_PATTERN.test(jobId)) throw new DomainError("not_found", "There is no bulk job with this ID.");
    const job = await getBulkJob(ctx, { jobId });
    const name = `bulk-${job.action}-${job.startedAt.slice(0, 10)}-${jobId.slice(-12)}.csv`;
    return { name, columns, pages: exportBulkItems(ctx, { jobId }) };
  });
