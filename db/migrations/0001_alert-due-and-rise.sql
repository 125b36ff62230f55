ALTER TABLE "alerts" DROP CONSTRAINT "alerts_sent";--> statement-breakpoint
ALTER TABLE "alerts" ADD COLUMN "due_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "alerts" ADD CONSTRAINT "alerts_sent" CHECK ("alerts"."webhook_sent" in ('nothing', 'start', 'outdated', 'end') and "alerts"."email_sent" in ('nothing', 'start', 'outdated', 'end'));