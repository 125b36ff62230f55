ALTER TABLE "batches" ADD COLUMN "keyless" boolean;--> statement-breakpoint
ALTER TABLE "contracts" ADD COLUMN "key_required" boolean DEFAULT false NOT NULL;