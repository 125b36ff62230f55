ALTER TABLE "bulk_job_items" DROP CONSTRAINT "bulk_job_items_why";--> statement-breakpoint
ALTER TABLE "bulk_jobs" DROP CONSTRAINT "bulk_jobs_action";--> statement-breakpoint
ALTER TABLE "bulk_jobs" ADD COLUMN "wait_seconds" integer;--> statement-breakpoint
ALTER TABLE "bulk_jobs" ADD COLUMN "needs" jsonb;--> statement-breakpoint
ALTER TABLE "bulk_job_items" ADD CONSTRAINT "bulk_job_items_why" CHECK ("bulk_job_items"."result" = 'DONE' or ("bulk_job_items"."why" is null) = ("bulk_job_items"."result" is null));--> statement-breakpoint
ALTER TABLE "bulk_jobs" ADD CONSTRAINT "bulk_jobs_action" CHECK ("bulk_jobs"."action" in ('hold', 'release', 'cancel', 'reverse'));