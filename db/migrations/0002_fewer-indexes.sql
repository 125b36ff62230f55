DROP INDEX IF EXISTS "batches_by_contract_status";--> statement-breakpoint
DROP INDEX IF EXISTS "batches_by_contract_type";--> statement-breakpoint
DROP INDEX IF EXISTS "batches_without_transfers_hash";