import type { NextRequest } from "next/server";
import { exportBulkItems, getBulkJob } from "@/server/batches/bulk/jobs";
import { UUID_PATTERN } from "@/server/kernel/values/batch-terms";
import { DomainError } from "@/server/kernel/values/problems";
import { exportContext } from "@/server/trpc/console-endpoint";
import { csvReply, downloadOrProblem } from "../../../../../data/csv-reply";
import { REPORT_COLUMNS } from "./to-csv";

/** Streams a job's report: every batch with its result, one page at a time. */
export function GET(request: NextRequest, { params }: { params: Promise<{ jobId: string }> }) {
  return downloadOrProblem(async (requestId) => {
    const { jobId } = await params;
    const ctx = await exportContext(requestId);
    if (!UUID_PATTERN.test(jobId)) throw new DomainError("not_found", "There is no bulk job with this ID.");
    const job = await getBulkJob(ctx, { jobId });
    const name = `bulk-${job.action}-${job.startedAt.slice(0, 10)}-${jobId.slice(-12)}.csv`;
    return csvReply(REPORT_COLUMNS, exportBulkItems(ctx, { jobId }), { name, requestId, request });
  });
}
