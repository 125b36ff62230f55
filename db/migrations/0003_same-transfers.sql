DROP INDEX IF EXISTS "batches_by_digest";--> statement-breakpoint
ALTER TABLE "batches" ADD COLUMN "transfers_hash" "bytea";--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "batches_by_transfers_hash" ON "batches" USING hash ("transfers_hash");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "batches_without_transfers_hash" ON "batches" USING btree ("contract_address","points") WHERE "batches"."transfers_hash" is null and "batches"."reverses_seq" is null;