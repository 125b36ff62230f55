import { csvRoute } from "@/app/data/csv-reply";
import { exportBulkItems, getBulkJob } from "@/server/batches/bulk/jobs";
import { UUID_PATTERN } from "@/server/kernel/values/batch-terms";
import { DomainError } from "@/server/kernel/values/problems";
import { REPORT_COLUMNS } from "./to-csv";

/** Streams a job's report: every batch with its result, one page at a time. */
export const GET = (request: Request, { params }: { params: Promise<{ jobId: string }> }) =>
  csvRoute(request, async (ctx) => {
    const { jobId } = await params;
    if (!UUID_PATTERN.test(jobId)) throw new DomainError("not_found", "There is no bulk job with this ID.");
    const job = await getBulkJob(ctx, { jobId });
    const name = `bulk-${job.action}-${job.startedAt.slice(0, 10)}-${jobId.slice(-12)}.csv`;
    return { name, columns: REPORT_COLUMNS, pages: exportBulkItems(ctx, { jobId }) };
  });
