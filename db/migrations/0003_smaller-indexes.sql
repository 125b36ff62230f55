CREATE UNIQUE INDEX IF NOT EXISTS "batches_id_once" ON "batches" USING btree ("contract_address","id" text_pattern_ops);--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "batches_by_type_status" ON "batches" USING btree ("point_type","status","created_at","seq");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "batches_by_submitter_hash" ON "batches" USING btree (hashtext("submitted_by"),"created_at","seq");--> statement-breakpoint
ALTER TABLE "batches" DROP CONSTRAINT IF EXISTS "batches_id";--> statement-breakpoint
DROP INDEX IF EXISTS "batches_by_status";--> statement-breakpoint
DROP INDEX IF EXISTS "batches_by_type";--> statement-breakpoint
DROP INDEX IF EXISTS "batches_by_id";--> statement-breakpoint
DROP INDEX IF EXISTS "batches_by_submitter";
