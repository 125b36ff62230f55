CREATE TABLE "staff_invitations" (
	"token_hash" "bytea" PRIMARY KEY NOT NULL,
	"staff_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "staff_invitations_hash_length" CHECK (octet_length("staff_invitations"."token_hash") = 32)
);
--> statement-breakpoint
CREATE TABLE "ledger_checks" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "ledger_checks_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"started_by" text NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"finished_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"is_ok" boolean NOT NULL,
	"batches" bigint NOT NULL,
	"transfers" bigint NOT NULL,
	"accounts" bigint NOT NULL,
	"findings" jsonb DEFAULT '[]'::jsonb NOT NULL
);
--> statement-breakpoint
DROP INDEX "batches_due";--> statement-breakpoint
ALTER TABLE "staff" ALTER COLUMN "password_hash" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "staff" ADD COLUMN "last_sign_in_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "batches" ADD COLUMN "held_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "batches" ADD COLUMN "held_by" text;--> statement-breakpoint
ALTER TABLE "batches" ADD COLUMN "hold_reason" text;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "staff_invitations_by_staff" ON "staff_invitations" USING btree ("staff_id");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "ledger_checks_by_time" ON "ledger_checks" USING btree ("finished_at");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "audit_log_by_action" ON "audit_log" USING btree ("action","id");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "batches_held_now" ON "batches" USING btree ("held_at") WHERE "batches"."status" = 'PENDING' and "batches"."held_at" is not null;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "batches_finalized" ON "batches" USING btree ("finalized_at") WHERE "batches"."status" = 'FINALIZED';--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "batches_due" ON "batches" USING btree ("finalize_at","contract_address","seq") WHERE "batches"."status" = 'PENDING' and "batches"."held_at" is null;--> statement-breakpoint
ALTER TABLE "batches" ADD CONSTRAINT "batches_held" CHECK ("batches"."held_at" is null or "batches"."status" in ('PENDING', 'CANCELLED'));--> statement-breakpoint
ALTER TABLE "batches" ADD CONSTRAINT "batches_hold_whole" CHECK (("batches"."held_at" is null) = ("batches"."held_by" is null) and ("batches"."held_at" is null) = ("batches"."hold_reason" is null));