CREATE TABLE "payout_parts" (
	"contract_address" "bytea" NOT NULL,
	"batch_seq" bigint NOT NULL,
	"payout_id" text collate "C" NOT NULL,
	"part" integer,
	"part_count" integer,
	"file_name" text,
	CONSTRAINT "payout_parts_contract_address_batch_seq_pk" PRIMARY KEY("contract_address","batch_seq"),
	CONSTRAINT "payout_parts_id_length" CHECK (octet_length("payout_parts"."payout_id") between 1 and 64),
	CONSTRAINT "payout_parts_whole" CHECK (num_nulls("payout_parts"."part", "payout_parts"."part_count", "payout_parts"."file_name") in (0, 3)),
	CONSTRAINT "payout_parts_part" CHECK ("payout_parts"."part" between 1 and "payout_parts"."part_count"),
	CONSTRAINT "payout_parts_file_name_length" CHECK (length("payout_parts"."file_name") between 1 and 255)
);
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "payout_parts_by_payout" ON "payout_parts" USING btree ("contract_address","payout_id","batch_seq");--> statement-breakpoint
ALTER TABLE "batches" ADD COLUMN "held_for_payout" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "batches" ADD CONSTRAINT "batches_held_for_payout" CHECK (not "held_for_payout" or "held_at" is not null) NOT VALID;--> statement-breakpoint
-- The parts of a file have the IDs `payout.001`, `payout.002` and so on, so the payout is what these begin with.
INSERT INTO "payout_parts" ("contract_address", "batch_seq", "payout_id", "part", "part_count", "file_name")
SELECT u."contract_address", u."batch_seq",
  case when b."id" ~ '^(?!\.{0,2}\.\d+$).*\.\d+$' then regexp_replace(b."id", '\.\d+$', '')
    else u."upload_id"::text end,
  u."part", u."part_count", u."file_name"
FROM "batch_uploads" u JOIN "batches" b
  ON b."contract_address" = u."contract_address" AND b."seq" = u."batch_seq";--> statement-breakpoint
UPDATE "batches" b SET "held_for_payout" = true FROM "batch_uploads" u
WHERE b."contract_address" = u."contract_address" AND b."seq" = u."batch_seq"
  AND b."status" = 'PENDING' AND b."held_at" = b."created_at";
--> statement-breakpoint
-- Below are objects that the TypeScript schema cannot express. Citus refuses triggers on distributed tables without this.
set local citus.enable_unsafe_triggers = 'on';
--> statement-breakpoint
-- The previous version releases a part of a file without this column. The next version can drop the trigger.
create function release_for_payout() returns trigger language plpgsql as $$
begin
  new.held_for_payout := false;
  return new;
end $$;
--> statement-breakpoint
create trigger batches_released before update on batches for each row
when (new.held_for_payout and new.held_at is null) execute function release_for_payout();
