import { router, staffChange, staffProcedure, staffQuery } from "@/server/auth/procedures";
import { getBulkJob, listBulkItems, listBulkJobs, startBulk, stopBulk } from "./jobs";
import { previewBulk } from "./preview-bulk";
import { BulkItemsInput, BulkJobInput, BulkPreviewInput, BulkStartInput, UploadInput } from "./schema";
import { listUnfinishedUploads, releaseUpload } from "./uploads";
import { workBulk } from "./work-bulk";

/** How long one call of an open page works on a job. Short, since a person's other long calls wait for it. */
const PAGE_SECONDS = 0.5;

/** Holds, releases and cancels of many batches in the console, and uploaded files of several batches. */
export const consoleBulkRouter = router({
  preview: staffChange("operator", BulkPreviewInput, previewBulk, "long"),
  start: staffChange("operator", BulkStartInput, startBulk),
  stop: staffChange("operator", BulkJobInput, stopBulk),
  /** Works on a job if no worker does, so that an open page continues it where the finalizer runs only once a minute. */
  work: staffProcedure("operator", "long")
    .input(BulkJobInput)
    .mutation(async ({ ctx, input: { jobId } }) => ({
      changed: await workBulk(ctx.db, { budgetSeconds: PAGE_SECONDS, jobId }),
    })),
  get: staffQuery("viewer", BulkJobInput, getBulkJob),
  recent: staffProcedure("viewer").query(({ ctx }) => listBulkJobs(ctx)),
  items: staffQuery("viewer", BulkItemsInput, listBulkItems),
  unfinishedUploads: staffProcedure("viewer").query(({ ctx }) => listUnfinishedUploads(ctx)),
  releaseUpload: staffChange("operator", UploadInput, releaseUpload, "long"),
});
