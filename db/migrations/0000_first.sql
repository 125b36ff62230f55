CREATE TYPE "public"."batch_status" AS ENUM('PENDING', 'CANCELLED', 'FINALIZING', 'FINALIZED');--> statement-breakpoint
CREATE TYPE "public"."issuance" AS ENUM('ON_DEMAND', 'PREFUNDED');--> statement-breakpoint
CREATE TYPE "public"."point_type" AS ENUM('PHASE2_POINTS', 'PHASE2_GOLD');--> statement-breakpoint
CREATE TYPE "public"."staff_role" AS ENUM('viewer', 'operator', 'admin');--> statement-breakpoint
CREATE TABLE "access_tokens" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"contract_address" "bytea" NOT NULL,
	"name" text NOT NULL,
	"scopes" text[] NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"last_used_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	CONSTRAINT "access_tokens_hash_length" CHECK (octet_length("access_tokens"."token_hash") = 32),
	CONSTRAINT "access_tokens_scopes" CHECK (cardinality("access_tokens"."scopes") > 0 and "access_tokens"."scopes" <@ array['batches:read', 'batches:write'])
);
--> statement-breakpoint
CREATE TABLE "audit_log" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "audit_log_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"actor" text NOT NULL,
	"action" text NOT NULL,
	"target" text NOT NULL,
	"detail" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"request_id" text
);
--> statement-breakpoint
CREATE TABLE "staff" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"email" text NOT NULL,
	"role" "staff_role" NOT NULL,
	"password_hash" text NOT NULL,
	"session_epoch" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"disabled_at" timestamp (3) with time zone,
	CONSTRAINT "staff_email_lower" CHECK ("staff"."email" = lower("staff"."email"))
);
--> statement-breakpoint
CREATE TABLE "accounts" (
	"address" "bytea" NOT NULL,
	"point_type" "point_type" NOT NULL,
	"earned" numeric(68,12) DEFAULT '0' NOT NULL,
	"received" numeric(68,12) DEFAULT '0' NOT NULL,
	"sent" numeric(68,12) DEFAULT '0' NOT NULL,
	"pending" numeric(68,12) DEFAULT '0' NOT NULL,
	"issued_last" numeric(68,12) DEFAULT '0' NOT NULL,
	CONSTRAINT "accounts_address_point_type_pk" PRIMARY KEY("address","point_type"),
	CONSTRAINT "accounts_address_length" CHECK (octet_length("accounts"."address") = 20),
	CONSTRAINT "accounts_available" CHECK ("accounts"."earned" + "accounts"."received" - "accounts"."sent" - "accounts"."pending" >= 0),
	CONSTRAINT "accounts_not_negative" CHECK (least("accounts"."earned", "accounts"."received", "accounts"."sent", "accounts"."pending") >= 0)
);
--> statement-breakpoint
CREATE TABLE "issuances" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "issuances_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"contract_address" "bytea" NOT NULL,
	"point_type" "point_type" NOT NULL,
	"points" numeric(68,12) NOT NULL,
	"batch_seq" bigint,
	"granted_by" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "issuances_points" CHECK ("issuances"."points" > 0),
	CONSTRAINT "issuances_origin" CHECK (("issuances"."batch_seq" is null) <> ("issuances"."granted_by" is null))
);
--> statement-breakpoint
CREATE TABLE "batches" (
	"contract_address" "bytea" NOT NULL,
	"seq" bigint GENERATED ALWAYS AS IDENTITY (sequence name "batches_seq_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"id" text NOT NULL,
	"point_type" "point_type" NOT NULL,
	"status" "batch_status" DEFAULT 'PENDING' NOT NULL,
	"points" numeric(68,12) NOT NULL,
	"transfer_count" integer NOT NULL,
	"wait_seconds" integer NOT NULL,
	"digest" "bytea" NOT NULL,
	"submitted_by" text NOT NULL,
	"submit_request_id" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"finalize_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone,
	"claim_id" uuid,
	"claimed_at" timestamp (3) with time zone,
	"lease_until" timestamp (3) with time zone,
	"finalized_at" timestamp (3) with time zone,
	"cancelled_at" timestamp (3) with time zone,
	"cancelled_by" text,
	"cancel_reason" text,
	"cancel_request_id" text,
	CONSTRAINT "batches_contract_address_seq_pk" PRIMARY KEY("contract_address","seq"),
	CONSTRAINT "batches_id" UNIQUE("contract_address","id"),
	CONSTRAINT "batches_address_length" CHECK (octet_length("batches"."contract_address") = 20),
	CONSTRAINT "batches_digest_length" CHECK (octet_length("batches"."digest") = 32),
	CONSTRAINT "batches_points" CHECK ("batches"."points" > 0),
	CONSTRAINT "batches_transfer_count" CHECK ("batches"."transfer_count" > 0),
	CONSTRAINT "batches_status_times" CHECK (("batches"."status" = 'FINALIZED') = ("batches"."finalized_at" is not null)
        and ("batches"."status" = 'CANCELLED') = ("batches"."cancelled_at" is not null)
        and ("batches"."status" = 'FINALIZING') = ("batches"."lease_until" is not null)
        and ("batches"."status" = 'PENDING') = ("batches"."updated_at" is null))
);
--> statement-breakpoint
CREATE TABLE "transfers" (
	"batch_seq" bigint NOT NULL,
	"contract_address" "bytea" NOT NULL,
	"position" integer NOT NULL,
	"to_address" "bytea" NOT NULL,
	"points" numeric(38,12) NOT NULL,
	CONSTRAINT "transfers_batch_seq_contract_address_position_pk" PRIMARY KEY("batch_seq","contract_address","position"),
	CONSTRAINT "transfers_address_length" CHECK (octet_length("transfers"."to_address") = 20),
	CONSTRAINT "transfers_points" CHECK ("transfers"."points" > 0)
);
--> statement-breakpoint
CREATE TABLE "contracts" (
	"address" "bytea" PRIMARY KEY NOT NULL,
	"label" text NOT NULL,
	"operator_address" "bytea",
	"issuance" "issuance" DEFAULT 'ON_DEMAND' NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "contracts_address_length" CHECK (octet_length("contracts"."address") = 20),
	CONSTRAINT "contracts_operator_length" CHECK (octet_length("contracts"."operator_address") = 20)
);
--> statement-breakpoint
CREATE TABLE "finalizer_heartbeat" (
	"singleton" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"last_tick_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "finalizer_runs" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"started_by" text NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"finished_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"batches_finalized" integer NOT NULL,
	"transfers_settled" integer NOT NULL,
	"lag_seconds_max" integer NOT NULL,
	"failure" text
);
--> statement-breakpoint
CREATE TABLE "recipient_progress" (
	"singleton" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"batch_seq" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "recipient_transfers" (
	"to_address" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"batch_seq" bigint NOT NULL,
	"contract_address" "bytea" NOT NULL,
	"points" numeric(38,12) NOT NULL,
	CONSTRAINT "recipient_transfers_to_address_created_at_batch_seq_contract_address_pk" PRIMARY KEY("to_address","created_at","batch_seq","contract_address")
);
--> statement-breakpoint
CREATE UNIQUE INDEX IF NOT EXISTS "access_tokens_hash" ON "access_tokens" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "access_tokens_by_contract" ON "access_tokens" USING btree ("contract_address","created_at");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "audit_log_by_target" ON "audit_log" USING btree ("target","id");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "audit_log_by_actor" ON "audit_log" USING btree ("actor","id");--> statement-breakpoint
CREATE UNIQUE INDEX IF NOT EXISTS "staff_email" ON "staff" USING btree ("email");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "issuances_by_contract" ON "issuances" USING btree ("contract_address","id");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "batches_by_contract" ON "batches" USING btree ("contract_address","created_at","seq");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "batches_by_contract_status" ON "batches" USING btree ("contract_address","status","created_at","seq");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "batches_by_contract_type" ON "batches" USING btree ("contract_address","point_type","created_at","seq");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "batches_by_contract_type_status" ON "batches" USING btree ("contract_address","point_type","status","created_at","seq");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "batches_by_creation" ON "batches" USING btree ("created_at","seq");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "batches_by_status" ON "batches" USING btree ("status","created_at","seq");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "batches_by_type" ON "batches" USING btree ("point_type","created_at","seq");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "batches_by_id" ON "batches" USING btree ("id" text_pattern_ops);--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "batches_due" ON "batches" USING btree ("finalize_at","contract_address","seq") WHERE "batches"."status" = 'PENDING';--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "batches_leased" ON "batches" USING btree ("lease_until") WHERE "batches"."status" = 'FINALIZING';--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "finalizer_runs_by_time" ON "finalizer_runs" USING btree ("finished_at");