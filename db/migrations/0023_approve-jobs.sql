ALTER TABLE "bulk_jobs" DROP CONSTRAINT "bulk_jobs_action";--> statement-breakpoint
ALTER TABLE "bulk_jobs" ADD CONSTRAINT "bulk_jobs_action"
  CHECK ("action" in ('hold', 'release', 'cancel', 'reverse', 'approve'));
