CREATE TABLE "transfer_references" (
	"contract_address" "bytea" NOT NULL,
	"batch_seq" bigint NOT NULL,
	"position" integer NOT NULL,
	"reference" text collate "C" NOT NULL,
	"is_live" boolean DEFAULT true NOT NULL,
	CONSTRAINT "transfer_references_contract_address_batch_seq_position_pk" PRIMARY KEY("contract_address","batch_seq","position"),
	CONSTRAINT "transfer_references_length" CHECK (octet_length("transfer_references"."reference") between 1 and 64)
);
--> statement-breakpoint
CREATE UNIQUE INDEX IF NOT EXISTS "transfer_references_live_once" ON "transfer_references" USING btree ("contract_address","reference") WHERE "transfer_references"."is_live";--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "transfer_references_freed" ON "transfer_references" USING btree ("contract_address","reference") WHERE not "transfer_references"."is_live";