CREATE TABLE "batch_metadata" (
	"contract_address" "bytea" NOT NULL,
	"batch_seq" bigint NOT NULL,
	"key" text collate "C" NOT NULL,
	"value" text collate "C" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "batch_metadata_contract_address_batch_seq_key_pk" PRIMARY KEY("contract_address","batch_seq","key"),
	CONSTRAINT "batch_metadata_key_length" CHECK (octet_length("batch_metadata"."key") between 1 and 40),
	CONSTRAINT "batch_metadata_value_length" CHECK (char_length("batch_metadata"."value") between 1 and 200)
);
--> statement-breakpoint
CREATE INDEX "batch_metadata_of_contract" ON "batch_metadata" USING btree ("key","value","contract_address","created_at","batch_seq");--> statement-breakpoint
CREATE INDEX "batch_metadata_by_creation" ON "batch_metadata" USING btree ("key","value","created_at","batch_seq","contract_address");