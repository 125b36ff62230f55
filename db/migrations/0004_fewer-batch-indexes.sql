CREATE INDEX IF NOT EXISTS "batches_of_contract" ON "batches" USING btree ("contract_address" NULLS FIRST,"created_at","seq");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "batches_by_type_contract_status" ON "batches" USING btree ("point_type","contract_address","status","created_at","seq");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "batches_by_status_type" ON "batches" USING btree ("status","point_type","created_at","seq");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "batches_blocked" ON "batches" USING btree ("finalize_at","seq") WHERE "batches"."status" = 'PENDING' and ("batches"."held_at" is not null or "batches"."awaits_approval");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "batches_contract_finalized" ON "batches" USING btree ("contract_address","finalized_at") WHERE "batches"."status" = 'FINALIZED';--> statement-breakpoint
DROP INDEX IF EXISTS "batches_by_contract";--> statement-breakpoint
DROP INDEX IF EXISTS "batches_by_contract_type_status";--> statement-breakpoint
DROP INDEX IF EXISTS "batches_by_type_status";--> statement-breakpoint
DROP INDEX IF EXISTS "batches_by_due";--> statement-breakpoint
DROP INDEX IF EXISTS "batches_by_submitter_hash";--> statement-breakpoint
DROP INDEX IF EXISTS "batches_by_points";--> statement-breakpoint
DROP INDEX IF EXISTS "batches_awaiting_approval";--> statement-breakpoint
DROP INDEX IF EXISTS "batches_held_now";--> statement-breakpoint
DROP INDEX IF EXISTS "batches_by_contract_finalized";