import { router, staffProcedure } from "@/server/auth/procedures";
import { getBulkJob, listBulkItems, listBulkJobs, startBulk, stopBulk } from "./jobs";
import { previewBulk } from "./preview-bulk";
import { BulkItemsInput, BulkJobInput, BulkPreviewInput, BulkStartInput, UploadInput } from "./schema";
import { listUnfinishedUploads, releaseUpload } from "./uploads";
import { workBulk } from "./work-bulk";

/** How long one call of an open page works on a job. Short, since a person's other long calls wait for it. */
const PAGE_SECONDS = 0.5;

/** Holds, releases and cancels of many batches in the console, and uploaded files of several batches. */
export const consoleBulkRouter = router({
  preview: staffProcedure("operator", "long")
    .input(BulkPreviewInput)
    .mutation(({ ctx, input }) => previewBulk(ctx, input)),
  start: staffProcedure("operator")
    .input(BulkStartInput)
    .mutation(({ ctx, input }) => startBulk(ctx, input)),
  stop: staffProcedure("operator")
    .input(BulkJobInput)
    .mutation(({ ctx, input }) => stopBulk(ctx, input)),
  /** Works on a job if no worker does, so that an open page continues it where the finalizer runs only once a minute. */
  work: staffProcedure("operator", "long")
    .input(BulkJobInput)
    .mutation(async ({ ctx, input: { jobId } }) => ({
      changed: await workBulk(ctx.db, { budgetSeconds: PAGE_SECONDS, jobId }),
    })),
  get: staffProcedure("viewer")
    .input(BulkJobInput)
    .query(({ ctx, input }) => getBulkJob(ctx, input)),
  recent: staffProcedure("viewer").query(({ ctx }) => listBulkJobs(ctx)),
  items: staffProcedure("viewer")
    .input(BulkItemsInput)
    .query(({ ctx, input }) => listBulkItems(ctx, input)),
  unfinishedUploads: staffProcedure("viewer").query(({ ctx }) => listUnfinishedUploads(ctx)),
  releaseUpload: staffProcedure("operator", "long")
    .input(UploadInput)
    .mutation(({ ctx, input }) => releaseUpload(ctx, input)),
});
