import { columnsOfJob } from "@/app/(console)/batches/export/batch-columns";
import { csvRoute } from "@/app/data/csv-reply";
import { bulkNotFound, exportBulkItems, getBulkJob } from "@/server/batches/bulk/jobs";
import { UUID_PATTERN } from "@/terms/batch-terms";

export const GET = (request: Request, { params }: { params: Promise<{ jobId: string }> }) =>
  csvRoute(request, async (ctx) => {
    const { jobId } = await params;
    if (!UUID_PATTERN.test(jobId)) throw bulkNotFound();
    const job = await getBulkJob(ctx, { jobId });
    const name = `bulk-${job.action}-${job.startedAt.slice(0, 10)}-${jobId.slice(-12)}.csv`;
    return { name, columns: columnsOfJob(), pages: exportBulkItems(ctx, { jobId }) };
  });
