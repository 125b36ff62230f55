CREATE TYPE "public"."batch_status" AS ENUM('PENDING', 'CANCELLED', 'FINALIZING', 'FINALIZED');--> statement-breakpoint
CREATE TYPE "public"."issuance" AS ENUM('ON_DEMAND', 'PREFUNDED');--> statement-breakpoint
CREATE TYPE "public"."point_type" AS ENUM('PHASE2_POINTS', 'PHASE2_GOLD');--> statement-breakpoint
CREATE TYPE "public"."staff_role" AS ENUM('viewer', 'operator', 'admin');--> statement-breakpoint
CREATE TABLE "access_tokens" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"contract_address" "bytea" NOT NULL,
	"name" text NOT NULL,
	"token_end" text,
	"scopes" text[] NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"last_used_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	CONSTRAINT "access_tokens_hash_length" CHECK (octet_length("access_tokens"."token_hash") = 32),
	CONSTRAINT "access_tokens_scopes" CHECK (cardinality("access_tokens"."scopes") > 0 and "access_tokens"."scopes" <@ array['batches:read', 'batches:write', 'batches:reverse'])
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
CREATE TABLE "operator_tokens" (
	"contract_address" "bytea" NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"operator_address" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "operator_tokens_token_hash_contract_address_pk" PRIMARY KEY("token_hash","contract_address"),
	CONSTRAINT "operator_tokens_hash_length" CHECK (octet_length("operator_tokens"."token_hash") = 32),
	CONSTRAINT "operator_tokens_operator_length" CHECK (octet_length("operator_tokens"."operator_address") = 20)
);
--> statement-breakpoint
CREATE TABLE "spent_challenges" (
	"nonce" text PRIMARY KEY NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "staff" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"email" text NOT NULL,
	"role" "staff_role" NOT NULL,
	"password_hash" text,
	"session_epoch" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"disabled_at" timestamp (3) with time zone,
	"last_sign_in_at" timestamp (3) with time zone,
	CONSTRAINT "staff_email_lower" CHECK ("staff"."email" = lower("staff"."email"))
);
--> statement-breakpoint
CREATE TABLE "staff_invitations" (
	"token_hash" "bytea" PRIMARY KEY NOT NULL,
	"staff_id" uuid NOT NULL,
	"origin" text DEFAULT 'admin' NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "staff_invitations_origin" CHECK ("staff_invitations"."origin" in ('admin', 'sign-in')),
	CONSTRAINT "staff_invitations_hash_length" CHECK (octet_length("staff_invitations"."token_hash") = 32)
);
--> statement-breakpoint
CREATE TABLE "staff_sessions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"staff_id" uuid NOT NULL,
	"epoch" integer NOT NULL,
	"device" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "staff_sessions_device_length" CHECK (length("staff_sessions"."device") <= 100)
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
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "issuances_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"contract_address" "bytea" NOT NULL,
	"point_type" "point_type" NOT NULL,
	"points" numeric(68,12) NOT NULL,
	"batch_seq" bigint,
	"granted_by" text,
	"approved_by" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "issuances_contract_address_created_at_id_pk" PRIMARY KEY("contract_address","created_at","id"),
	CONSTRAINT "issuances_points" CHECK ("issuances"."points" > 0),
	CONSTRAINT "issuances_origin" CHECK (("issuances"."batch_seq" is null) <> ("issuances"."granted_by" is null)),
	CONSTRAINT "issuances_second_person" CHECK ("issuances"."approved_by" is null or ("issuances"."granted_by" is not null and "issuances"."approved_by" <> "issuances"."granted_by"))
);
--> statement-breakpoint
CREATE TABLE "alert_jobs" (
	"name" text PRIMARY KEY NOT NULL,
	"next_at" timestamp (3) with time zone NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"failure" text,
	"succeeded_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "alert_views" (
	"alert_id" uuid NOT NULL,
	"seen_by" text NOT NULL,
	"seen_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "alert_views_alert_id_seen_by_pk" PRIMARY KEY("alert_id","seen_by")
);
--> statement-breakpoint
CREATE TABLE "alerts" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"kind" text NOT NULL,
	"subject" text NOT NULL,
	"severity" text NOT NULL,
	"title" text NOT NULL,
	"remedy" text NOT NULL,
	"path" text NOT NULL,
	"started_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"cleared_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	"returns" integer DEFAULT 0 NOT NULL,
	"webhook_sent" text DEFAULT 'nothing' NOT NULL,
	"email_sent" text DEFAULT 'nothing' NOT NULL,
	CONSTRAINT "alerts_severity" CHECK ("alerts"."severity" in ('critical', 'warning')),
	CONSTRAINT "alerts_cleared" CHECK ("alerts"."ended_at" is null or "alerts"."cleared_at" is not null),
	CONSTRAINT "alerts_sent" CHECK ("alerts"."webhook_sent" in ('nothing', 'start', 'end') and "alerts"."email_sent" in ('nothing', 'start', 'end'))
);
--> statement-breakpoint
CREATE TABLE "approval_rules" (
	"contract_address" "bytea" NOT NULL,
	"point_type" "point_type" NOT NULL,
	"threshold" numeric(68,12),
	"on_unusual" boolean NOT NULL,
	CONSTRAINT "approval_rules_contract_address_point_type_pk" PRIMARY KEY("contract_address","point_type"),
	CONSTRAINT "approval_rules_address_length" CHECK (octet_length("approval_rules"."contract_address") = 20),
	CONSTRAINT "approval_rules_threshold" CHECK ("approval_rules"."threshold" > 0)
);
--> statement-breakpoint
CREATE TABLE "contract_changes" (
	"contract_address" "bytea" NOT NULL,
	"id" uuid NOT NULL,
	"kind" text NOT NULL,
	"point_type" "point_type",
	"threshold" numeric(68,12),
	"on_unusual" boolean,
	"points" numeric(68,12),
	"issuance" "issuance",
	"operator_address" "bytea",
	"operator_before" "bytea",
	"reason" text NOT NULL,
	"proposed_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"proposed_by" text NOT NULL,
	"decision" text,
	"decided_at" timestamp (3) with time zone,
	"decided_by" text,
	"decision_reason" text,
	CONSTRAINT "contract_changes_contract_address_id_pk" PRIMARY KEY("contract_address","id"),
	CONSTRAINT "contract_changes_decided" UNIQUE("contract_address","id","decision"),
	CONSTRAINT "contract_changes_address_length" CHECK (octet_length("contract_changes"."contract_address") = 20),
	CONSTRAINT "contract_changes_operator_length" CHECK (octet_length("contract_changes"."operator_address") = 20 and octet_length("contract_changes"."operator_before") = 20),
	CONSTRAINT "contract_changes_kind" CHECK (case "contract_changes"."kind"
        when 'RULE' then "contract_changes"."point_type" is not null and "contract_changes"."on_unusual" is not null
          and num_nonnulls("contract_changes"."points", "contract_changes"."issuance", "contract_changes"."operator_address", "contract_changes"."operator_before") = 0
        when 'GRANT' then "contract_changes"."point_type" is not null and "contract_changes"."points" is not null
          and num_nonnulls("contract_changes"."threshold", "contract_changes"."on_unusual", "contract_changes"."issuance", "contract_changes"."operator_address", "contract_changes"."operator_before") = 0
        when 'ISSUANCE' then "contract_changes"."issuance" is not null
          and num_nonnulls("contract_changes"."point_type", "contract_changes"."threshold", "contract_changes"."on_unusual", "contract_changes"."points", "contract_changes"."operator_address", "contract_changes"."operator_before") = 0
        when 'OPERATOR' then
          num_nonnulls("contract_changes"."point_type", "contract_changes"."threshold", "contract_changes"."on_unusual", "contract_changes"."points", "contract_changes"."issuance") = 0
        else false end),
	CONSTRAINT "contract_changes_amounts" CHECK ("contract_changes"."threshold" > 0 and "contract_changes"."points" > 0),
	CONSTRAINT "contract_changes_decision" CHECK ("contract_changes"."decision" in ('APPROVED', 'REJECTED', 'WITHDRAWN')),
	CONSTRAINT "contract_changes_whole" CHECK (("contract_changes"."decision" is null) = ("contract_changes"."decided_at" is null) and ("contract_changes"."decision" is null) = ("contract_changes"."decided_by" is null)),
	CONSTRAINT "contract_changes_second_person" CHECK (("contract_changes"."decision" = 'WITHDRAWN') = ("contract_changes"."decided_by" = "contract_changes"."proposed_by"))
);
--> statement-breakpoint
CREATE TABLE "batch_transfers" (
	"batch_seq" bigint NOT NULL,
	"contract_address" "bytea" NOT NULL,
	"addresses" "bytea" NOT NULL,
	"points" numeric(38,12)[] NOT NULL,
	CONSTRAINT "batch_transfers_batch_seq_contract_address_pk" PRIMARY KEY("batch_seq","contract_address"),
	CONSTRAINT "batch_transfers_address_length" CHECK (octet_length("batch_transfers"."contract_address") = 20),
	CONSTRAINT "batch_transfers_not_empty" CHECK (cardinality("batch_transfers"."points") > 0),
	CONSTRAINT "batch_transfers_pairs" CHECK (octet_length("batch_transfers"."addresses") = 20 * cardinality("batch_transfers"."points")),
	CONSTRAINT "batch_transfers_points" CHECK ((0 < all ("batch_transfers"."points") and 'NaN' > all ("batch_transfers"."points")) is true)
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
	"held_at" timestamp (3) with time zone,
	"held_by" text,
	"hold_reason" text,
	"approval_need" text,
	"awaits_approval" boolean DEFAULT false NOT NULL,
	"approved_at" timestamp (3) with time zone,
	"approved_by" text,
	"reverses_seq" bigint,
	"reversal_reason" text,
	CONSTRAINT "batches_contract_address_seq_pk" PRIMARY KEY("contract_address","seq"),
	CONSTRAINT "batches_id" UNIQUE("contract_address","id"),
	CONSTRAINT "batches_address_length" CHECK (octet_length("batches"."contract_address") = 20),
	CONSTRAINT "batches_digest_length" CHECK (octet_length("batches"."digest") = 32),
	CONSTRAINT "batches_points" CHECK ("batches"."points" > 0),
	CONSTRAINT "batches_transfer_count" CHECK ("batches"."transfer_count" > 0),
	CONSTRAINT "batches_status_times" CHECK (("batches"."status" = 'FINALIZED') = ("batches"."finalized_at" is not null)
        and ("batches"."status" = 'CANCELLED') = ("batches"."cancelled_at" is not null)
        and ("batches"."status" = 'FINALIZING') = ("batches"."lease_until" is not null)
        and ("batches"."status" = 'PENDING') = ("batches"."updated_at" is null)),
	CONSTRAINT "batches_held" CHECK ("batches"."held_at" is null or "batches"."status" in ('PENDING', 'CANCELLED')),
	CONSTRAINT "batches_hold_whole" CHECK (("batches"."held_at" is null) = ("batches"."held_by" is null) and ("batches"."held_at" is null) = ("batches"."hold_reason" is null)),
	CONSTRAINT "batches_approval_need" CHECK ("batches"."approval_need" in ('THRESHOLD', 'REVIEW', 'UNUSUAL', 'NOT_REVIEWED')),
	CONSTRAINT "batches_awaits_approval" CHECK ("batches"."awaits_approval" = ("batches"."approval_need" is not null and "batches"."approved_at" is null)
        and (not "batches"."awaits_approval" or "batches"."status" in ('PENDING', 'CANCELLED'))),
	CONSTRAINT "batches_second_person" CHECK (("batches"."approved_at" is null) = ("batches"."approved_by" is null) and ("batches"."approved_at" is null or "batches"."approval_need" is not null)
        and ("batches"."approved_by" is null or "batches"."approved_by" <> "batches"."submitted_by")),
	CONSTRAINT "batches_reversal_later" CHECK ("batches"."seq" > "batches"."reverses_seq"),
	CONSTRAINT "batches_reversal_reason" CHECK ("batches"."reversal_reason" is null or "batches"."reverses_seq" is not null)
);
--> statement-breakpoint
CREATE TABLE "bulk_job_items" (
	"job_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"contract_address" "bytea" NOT NULL,
	"batch_id" text NOT NULL,
	"point_type" "point_type" NOT NULL,
	"points" numeric(68,12) NOT NULL,
	"transfer_count" integer NOT NULL,
	"result" text,
	"result_at" timestamp (3) with time zone,
	"why" text,
	"why_by" text,
	"why_at" timestamp (3) with time zone,
	CONSTRAINT "bulk_job_items_job_id_position_pk" PRIMARY KEY("job_id","position"),
	CONSTRAINT "bulk_job_items_result" CHECK ("bulk_job_items"."result" in ('DONE', 'EXCLUDED', 'OVERTAKEN', 'FAILED')),
	CONSTRAINT "bulk_job_items_why" CHECK (("bulk_job_items"."why" is not null) = coalesce("bulk_job_items"."result" in ('EXCLUDED', 'OVERTAKEN', 'FAILED'), false))
);
--> statement-breakpoint
CREATE TABLE "bulk_jobs" (
	"id" uuid PRIMARY KEY NOT NULL,
	"action" text NOT NULL,
	"filters" jsonb,
	"frozen_at" timestamp (3) with time zone NOT NULL,
	"created_by" text NOT NULL,
	"item_count" integer NOT NULL,
	"reason" text,
	"request_id" text,
	"started_at" timestamp (3) with time zone,
	"finished_at" timestamp (3) with time zone,
	"stopped_by" text,
	"claim_id" uuid,
	"lease_until" timestamp (3) with time zone,
	CONSTRAINT "bulk_jobs_action" CHECK ("bulk_jobs"."action" in ('hold', 'release', 'cancel')),
	CONSTRAINT "bulk_jobs_started_whole" CHECK ("bulk_jobs"."started_at" is null or ("bulk_jobs"."reason" is not null and "bulk_jobs"."lease_until" is not null)),
	CONSTRAINT "bulk_jobs_stopped" CHECK ("bulk_jobs"."stopped_by" is null or "bulk_jobs"."finished_at" is not null)
);
--> statement-breakpoint
CREATE TABLE "contracts" (
	"address" "bytea" PRIMARY KEY NOT NULL,
	"label" text NOT NULL,
	"operator_address" "bytea",
	"issuance" "issuance" DEFAULT 'ON_DEMAND' NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"approval_required" boolean DEFAULT false NOT NULL,
	"applied_change_id" uuid,
	"applied_decision" text,
	CONSTRAINT "contracts_address_length" CHECK (octet_length("contracts"."address") = 20),
	CONSTRAINT "contracts_operator_length" CHECK (octet_length("contracts"."operator_address") = 20),
	CONSTRAINT "contracts_applied_change_whole" CHECK (("contracts"."applied_change_id" is null) = ("contracts"."applied_decision" is null) and "contracts"."applied_decision" = 'APPROVED')
);
--> statement-breakpoint
CREATE TABLE "batch_corrections" (
	"contract_address" "bytea" NOT NULL,
	"batch_seq" bigint NOT NULL,
	"corrects_seq" bigint NOT NULL,
	CONSTRAINT "batch_corrections_contract_address_batch_seq_pk" PRIMARY KEY("contract_address","batch_seq"),
	CONSTRAINT "batch_corrections_later" CHECK ("batch_corrections"."batch_seq" > "batch_corrections"."corrects_seq")
);
--> statement-breakpoint
CREATE TABLE "finalizer_heartbeat" (
	"singleton" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"last_tick_at" timestamp (3) with time zone NOT NULL,
	"batches_finalized" bigint DEFAULT 0 NOT NULL,
	"transfers_settled" bigint DEFAULT 0 NOT NULL
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
CREATE TABLE "ledger_checkpoint" (
	"singleton" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"horizon" timestamp (3) with time zone NOT NULL,
	"issuance_id" bigint NOT NULL,
	"slices" integer NOT NULL,
	"slices_done" integer DEFAULT 0 NOT NULL,
	"batch_seq_max" bigint NOT NULL,
	"round_started_at" timestamp (3) with time zone NOT NULL,
	"round_finished_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ledger_checkpoint_accounts" (
	"address" "bytea" NOT NULL,
	"point_type" "point_type" NOT NULL,
	"earned" numeric(68,12) NOT NULL,
	"received" numeric(68,12) NOT NULL,
	"sent" numeric(68,12) NOT NULL,
	CONSTRAINT "ledger_checkpoint_accounts_address_point_type_pk" PRIMARY KEY("address","point_type")
);
--> statement-breakpoint
CREATE TABLE "ledger_checks" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "ledger_checks_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"started_by" text NOT NULL,
	"reach" text DEFAULT 'whole' NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"finished_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"is_ok" boolean NOT NULL,
	"batches" bigint NOT NULL,
	"transfers" bigint NOT NULL,
	"accounts" bigint NOT NULL,
	"totals" jsonb,
	"findings" jsonb DEFAULT '[]'::jsonb NOT NULL,
	CONSTRAINT "ledger_checks_reach" CHECK ("ledger_checks"."reach" in ('whole', 'incremental'))
);
--> statement-breakpoint
CREATE TABLE "ledger_days" (
	"day" date PRIMARY KEY NOT NULL,
	"previous_hash" "bytea" NOT NULL,
	"totals" jsonb NOT NULL,
	"hash" "bytea" NOT NULL,
	CONSTRAINT "ledger_days_hashes" CHECK (octet_length("ledger_days"."previous_hash") = 32 and octet_length("ledger_days"."hash") = 32)
);
--> statement-breakpoint
CREATE UNLOGGED TABLE "rate_limits" (
	"key" text PRIMARY KEY NOT NULL,
	"points" integer NOT NULL,
	"expire" bigint
);
--> statement-breakpoint
CREATE TABLE "batch_notes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"contract_address" "bytea" NOT NULL,
	"batch_seq" bigint NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	"written_by" text NOT NULL,
	"text" text NOT NULL,
	CONSTRAINT "batch_notes_text_length" CHECK (char_length("batch_notes"."text") between 1 and 1000)
);
--> statement-breakpoint
CREATE TABLE "batch_roots" (
	"contract_address" "bytea" NOT NULL,
	"batch_seq" bigint NOT NULL,
	"root" "bytea" NOT NULL,
	CONSTRAINT "batch_roots_contract_address_batch_seq_pk" PRIMARY KEY("contract_address","batch_seq"),
	CONSTRAINT "batch_roots_length" CHECK (octet_length("batch_roots"."root") = 32)
);
--> statement-breakpoint
CREATE TABLE "recipient_labels" (
	"address" "bytea" PRIMARY KEY NOT NULL,
	"label" text NOT NULL,
	CONSTRAINT "recipient_labels_address_length" CHECK (octet_length("recipient_labels"."address") = 20),
	CONSTRAINT "recipient_labels_label_length" CHECK (char_length("recipient_labels"."label") between 1 and 80)
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
CREATE TABLE "reversed_transfers" (
	"contract_address" "bytea" NOT NULL,
	"batch_seq" bigint NOT NULL,
	"to_address" "bytea" NOT NULL,
	"reversal_seq" bigint NOT NULL,
	"points" numeric(38,12) NOT NULL,
	CONSTRAINT "reversed_transfers_once" PRIMARY KEY("contract_address","batch_seq","to_address"),
	CONSTRAINT "reversed_transfers_points" CHECK ("reversed_transfers"."points" > 0),
	CONSTRAINT "reversed_transfers_address_length" CHECK (octet_length("reversed_transfers"."to_address") = 20),
	CONSTRAINT "reversed_transfers_later" CHECK ("reversed_transfers"."reversal_seq" > "reversed_transfers"."batch_seq")
);
--> statement-breakpoint
CREATE TABLE "batch_reviews" (
	"contract_address" "bytea" NOT NULL,
	"batch_seq" bigint NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"level" text NOT NULL,
	"findings" jsonb NOT NULL,
	"reviewed_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "batch_reviews_contract_address_batch_seq_pk" PRIMARY KEY("contract_address","batch_seq"),
	CONSTRAINT "batch_reviews_address_length" CHECK (octet_length("batch_reviews"."contract_address") = 20),
	CONSTRAINT "batch_reviews_level" CHECK ("batch_reviews"."level" in ('unusual', 'alarming'))
);
--> statement-breakpoint
CREATE TABLE "review_progress" (
	"singleton" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"batch_seq" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "batch_uploads" (
	"contract_address" "bytea" NOT NULL,
	"batch_seq" bigint NOT NULL,
	"upload_id" uuid NOT NULL,
	"part" integer NOT NULL,
	"part_count" integer NOT NULL,
	"file_name" text NOT NULL,
	CONSTRAINT "batch_uploads_contract_address_batch_seq_pk" PRIMARY KEY("contract_address","batch_seq"),
	CONSTRAINT "batch_uploads_part" CHECK ("batch_uploads"."part" between 1 and "batch_uploads"."part_count"),
	CONSTRAINT "batch_uploads_file_name_length" CHECK (length("batch_uploads"."file_name") between 1 and 255)
);
--> statement-breakpoint
CREATE TABLE "saved_views" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"staff_id" uuid NOT NULL,
	"name" text NOT NULL,
	"query" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "saved_views_name_length" CHECK (length("saved_views"."name") between 1 and 60),
	CONSTRAINT "saved_views_query_length" CHECK (length("saved_views"."query") <= 2000)
);
--> statement-breakpoint
CREATE TABLE "webhook_deliveries" (
	"contract_address" "bytea" NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"endpoint_id" uuid NOT NULL,
	"event" text NOT NULL,
	"batch_seq" bigint,
	"event_at" timestamp (3) with time zone NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp (3) with time zone DEFAULT now(),
	"claim_id" uuid,
	"delivered_at" timestamp (3) with time zone,
	"last_attempt_at" timestamp (3) with time zone,
	"last_status_code" integer,
	"last_duration_ms" integer,
	"last_failure" text,
	CONSTRAINT "webhook_deliveries_contract_address_id_pk" PRIMARY KEY("contract_address","id"),
	CONSTRAINT "webhook_deliveries_address_length" CHECK (octet_length("webhook_deliveries"."contract_address") = 20),
	CONSTRAINT "webhook_deliveries_delivered" CHECK ("webhook_deliveries"."delivered_at" is null or "webhook_deliveries"."next_attempt_at" is null),
	CONSTRAINT "webhook_deliveries_claimed" CHECK ("webhook_deliveries"."claim_id" is null or "webhook_deliveries"."next_attempt_at" is not null),
	CONSTRAINT "webhook_deliveries_batch" CHECK (("webhook_deliveries"."batch_seq" is null) = ("webhook_deliveries"."event" = 'webhook.test'))
);
--> statement-breakpoint
CREATE TABLE "webhook_endpoints" (
	"contract_address" "bytea" NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"url" text NOT NULL,
	"events" text[] NOT NULL,
	"secret_sealed" "bytea" NOT NULL,
	"previous_secret_sealed" "bytea",
	"previous_secret_until" timestamp (3) with time zone,
	"created_by" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"disabled_at" timestamp (3) with time zone,
	"disabled_reason" text,
	"failing_since" timestamp (3) with time zone,
	"failures" integer DEFAULT 0 NOT NULL,
	"first_delivered_at" timestamp (3) with time zone,
	"paused_until" timestamp (3) with time zone,
	CONSTRAINT "webhook_endpoints_contract_address_id_pk" PRIMARY KEY("contract_address","id"),
	CONSTRAINT "webhook_endpoints_address_length" CHECK (octet_length("webhook_endpoints"."contract_address") = 20),
	CONSTRAINT "webhook_endpoints_url" CHECK (char_length("webhook_endpoints"."url") between 8 and 2048),
	CONSTRAINT "webhook_endpoints_events" CHECK (cardinality("webhook_endpoints"."events") > 0 and "webhook_endpoints"."events" <@ array['batch.created', 'batch.cancelled', 'batch.held',
        'batch.released', 'batch.finalizing', 'batch.finalized']),
	CONSTRAINT "webhook_endpoints_disabled_whole" CHECK (("webhook_endpoints"."disabled_at" is null) = ("webhook_endpoints"."disabled_reason" is null)
        and coalesce("webhook_endpoints"."disabled_reason" in ('staff', 'failures', 'gone'), true)),
	CONSTRAINT "webhook_endpoints_previous_whole" CHECK (("webhook_endpoints"."previous_secret_sealed" is null) = ("webhook_endpoints"."previous_secret_until" is null))
);
--> statement-breakpoint
ALTER TABLE "staff_invitations" ADD CONSTRAINT "staff_invitations_staff_id_staff_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "staff_sessions" ADD CONSTRAINT "staff_sessions_staff_id_staff_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alert_views" ADD CONSTRAINT "alert_views_alert_id_alerts_id_fk" FOREIGN KEY ("alert_id") REFERENCES "public"."alerts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contracts" ADD CONSTRAINT "contracts_applied_change" FOREIGN KEY ("address","applied_change_id","applied_decision") REFERENCES "public"."contract_changes"("contract_address","id","decision") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "saved_views" ADD CONSTRAINT "saved_views_staff_id_staff_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_contract_address_contracts_address_fk" FOREIGN KEY ("contract_address") REFERENCES "public"."contracts"("address") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "access_tokens_hash" ON "access_tokens" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "access_tokens_by_contract" ON "access_tokens" USING btree ("contract_address","created_at");--> statement-breakpoint
CREATE INDEX "audit_log_by_target" ON "audit_log" USING btree ("target","id");--> statement-breakpoint
CREATE INDEX "audit_log_by_actor" ON "audit_log" USING btree ("actor","id");--> statement-breakpoint
CREATE INDEX "audit_log_by_action" ON "audit_log" USING btree ("action","id");--> statement-breakpoint
CREATE INDEX "audit_log_by_request" ON "audit_log" USING btree ("request_id","id");--> statement-breakpoint
CREATE INDEX "operator_tokens_by_contract" ON "operator_tokens" USING btree ("contract_address");--> statement-breakpoint
CREATE INDEX "operator_tokens_by_expiry" ON "operator_tokens" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "spent_challenges_by_expiry" ON "spent_challenges" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "staff_email" ON "staff" USING btree ("email");--> statement-breakpoint
CREATE INDEX "staff_invitations_by_staff" ON "staff_invitations" USING btree ("staff_id");--> statement-breakpoint
CREATE INDEX "staff_sessions_by_staff" ON "staff_sessions" USING btree ("staff_id");--> statement-breakpoint
CREATE INDEX "issuances_by_id" ON "issuances" USING btree ("id");--> statement-breakpoint
CREATE UNIQUE INDEX "alerts_open" ON "alerts" USING btree ("kind","subject") WHERE "alerts"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "alerts_by_subject" ON "alerts" USING btree ("kind","subject","ended_at");--> statement-breakpoint
CREATE INDEX "alerts_by_start" ON "alerts" USING btree ("started_at","id");--> statement-breakpoint
CREATE INDEX "alerts_unsent" ON "alerts" USING btree ("started_at") WHERE "alerts"."webhook_sent" <> 'end' or "alerts"."email_sent" <> 'end';--> statement-breakpoint
CREATE UNIQUE INDEX "contract_changes_open_of_type" ON "contract_changes" USING btree ("contract_address","kind","point_type") WHERE "contract_changes"."decision" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "contract_changes_open" ON "contract_changes" USING btree ("contract_address","kind") WHERE "contract_changes"."decision" is null and "contract_changes"."point_type" is null;--> statement-breakpoint
CREATE INDEX "contract_changes_by_contract" ON "contract_changes" USING btree ("contract_address","proposed_at");--> statement-breakpoint
CREATE INDEX "batches_by_reversed" ON "batches" USING btree ("contract_address","reverses_seq","seq") WHERE "batches"."reverses_seq" is not null;--> statement-breakpoint
CREATE INDEX "batches_by_contract" ON "batches" USING btree ("contract_address","created_at","seq");--> statement-breakpoint
CREATE INDEX "batches_by_contract_status" ON "batches" USING btree ("contract_address","status","created_at","seq");--> statement-breakpoint
CREATE INDEX "batches_by_contract_type" ON "batches" USING btree ("contract_address","point_type","created_at","seq");--> statement-breakpoint
CREATE INDEX "batches_by_contract_type_status" ON "batches" USING btree ("contract_address","point_type","status","created_at","seq");--> statement-breakpoint
CREATE INDEX "batches_by_creation" ON "batches" USING btree ("created_at","seq");--> statement-breakpoint
CREATE INDEX "batches_by_status" ON "batches" USING btree ("status","created_at","seq");--> statement-breakpoint
CREATE INDEX "batches_by_type" ON "batches" USING btree ("point_type","created_at","seq");--> statement-breakpoint
CREATE INDEX "batches_by_id" ON "batches" USING btree ("id" text_pattern_ops);--> statement-breakpoint
CREATE INDEX "batches_by_due" ON "batches" USING btree ("finalize_at","seq");--> statement-breakpoint
CREATE INDEX "batches_by_submitter" ON "batches" USING btree ("submitted_by","created_at","seq");--> statement-breakpoint
CREATE INDEX "batches_by_points" ON "batches" USING btree ("point_type","points","seq");--> statement-breakpoint
CREATE INDEX "batches_by_digest" ON "batches" USING hash ("digest");--> statement-breakpoint
CREATE INDEX "batches_due" ON "batches" USING btree ("finalize_at","contract_address","seq") WHERE "batches"."status" = 'PENDING' and "batches"."held_at" is null and not "batches"."awaits_approval";--> statement-breakpoint
CREATE INDEX "batches_awaiting_approval" ON "batches" USING btree ("finalize_at","seq") WHERE "batches"."status" = 'PENDING' and "batches"."awaits_approval";--> statement-breakpoint
CREATE INDEX "batches_held_now" ON "batches" USING btree ("held_at") WHERE "batches"."status" = 'PENDING' and "batches"."held_at" is not null;--> statement-breakpoint
CREATE INDEX "batches_finalized" ON "batches" USING btree ("finalized_at") WHERE "batches"."status" = 'FINALIZED';--> statement-breakpoint
CREATE INDEX "batches_by_contract_finalized" ON "batches" USING btree ("contract_address","finalized_at","seq") WHERE "batches"."status" = 'FINALIZED';--> statement-breakpoint
CREATE INDEX "batches_by_contract_cancelled" ON "batches" USING btree ("contract_address","cancelled_at","seq") WHERE "batches"."status" = 'CANCELLED';--> statement-breakpoint
CREATE INDEX "batches_leased" ON "batches" USING btree ("lease_until") WHERE "batches"."status" = 'FINALIZING';--> statement-breakpoint
CREATE INDEX "bulk_job_items_by_result" ON "bulk_job_items" USING btree ("job_id","result","position");--> statement-breakpoint
CREATE INDEX "bulk_jobs_by_time" ON "bulk_jobs" USING btree ("started_at","id");--> statement-breakpoint
CREATE INDEX "bulk_jobs_open" ON "bulk_jobs" USING btree ("lease_until") WHERE "bulk_jobs"."started_at" is not null and "bulk_jobs"."finished_at" is null;--> statement-breakpoint
CREATE INDEX "batch_corrections_by_cancelled" ON "batch_corrections" USING btree ("contract_address","corrects_seq","batch_seq");--> statement-breakpoint
CREATE INDEX "finalizer_runs_by_time" ON "finalizer_runs" USING btree ("finished_at");--> statement-breakpoint
CREATE INDEX "ledger_checks_by_time" ON "ledger_checks" USING btree ("finished_at");--> statement-breakpoint
CREATE INDEX "rate_limits_by_expiry" ON "rate_limits" USING btree ("expire");--> statement-breakpoint
CREATE INDEX "batch_notes_by_batch" ON "batch_notes" USING btree ("contract_address","batch_seq","created_at");--> statement-breakpoint
CREATE INDEX "recipient_transfers_by_batch" ON "recipient_transfers" USING brin ("batch_seq");--> statement-breakpoint
CREATE INDEX "reversed_transfers_by_recipient" ON "reversed_transfers" USING btree ("to_address","reversal_seq");--> statement-breakpoint
CREATE INDEX "batch_reviews_by_creation" ON "batch_reviews" USING btree ("created_at","batch_seq");--> statement-breakpoint
CREATE INDEX "batch_reviews_by_contract" ON "batch_reviews" USING btree ("contract_address","created_at","batch_seq");--> statement-breakpoint
CREATE INDEX "batch_uploads_by_upload" ON "batch_uploads" USING btree ("upload_id","part");--> statement-breakpoint
CREATE UNIQUE INDEX "saved_views_name" ON "saved_views" USING btree ("staff_id",lower("name"));--> statement-breakpoint
CREATE INDEX "webhook_deliveries_due" ON "webhook_deliveries" USING btree ("contract_address","endpoint_id","next_attempt_at") WHERE "webhook_deliveries"."next_attempt_at" is not null;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_due_by_time" ON "webhook_deliveries" USING btree ("next_attempt_at") WHERE "webhook_deliveries"."next_attempt_at" > '-infinity';--> statement-breakpoint
CREATE INDEX "webhook_deliveries_log" ON "webhook_deliveries" USING btree ("contract_address","endpoint_id","event_at","id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_by_age" ON "webhook_deliveries" USING btree ("event_at");--> statement-breakpoint
CREATE INDEX "webhook_endpoints_given_up" ON "webhook_endpoints" USING btree ("disabled_at") WHERE "webhook_endpoints"."disabled_reason" in ('failures', 'gone');--> statement-breakpoint
-- Below are objects that the TypeScript schema cannot express.
-- Repeats the state machine of server/kernel/values/batch-state.ts. The function runs only for changes that are refused.
create function refuse_batch_change() returns trigger language plpgsql as $$
begin
  raise exception 'illegal change of batch %: % to %', old.id, old.status, new.status
    using errcode = 'integrity_constraint_violation', constraint = 'batches_legal_change';
end $$;
--> statement-breakpoint
create trigger batches_legal_change before update on batches for each row
when (
  not (
    old.status = new.status and old.status in ('PENDING', 'FINALIZING')
    or old.status = 'PENDING' and new.status in ('FINALIZING', 'CANCELLED')
    or old.status = 'FINALIZING' and new.status = 'FINALIZED'
  )
  or (old.contract_address, old.seq, old.id, old.point_type, old.points, old.transfer_count, old.digest, old.created_at, old.finalize_at, old.submitted_by, old.reverses_seq, old.reversal_reason)
    is distinct from
    (new.contract_address, new.seq, new.id, new.point_type, new.points, new.transfer_count, new.digest, new.created_at, new.finalize_at, new.submitted_by, new.reverses_seq, new.reversal_reason)
  -- Only a review ends or changes the need for approval, while nobody has approved.
  or (old.approval_need is distinct from new.approval_need
    and (old.approval_need is distinct from 'REVIEW' or old.approved_at is not null))
  or (old.approved_at is not null and (old.approved_at, old.approved_by) is distinct from (new.approved_at, new.approved_by))
)
execute function refuse_batch_change();
--> statement-breakpoint
-- Under an approval rule, another issuance or operator, and the end of the last rule, take an approved change in every
-- statement. The message ends with the constraint's name, because Citus passes on nothing else.
create function refuse_contract_change() returns trigger language plpgsql as $$
begin
  raise exception 'change of a contract without a second admin violates "contracts_second_admin"'
    using errcode = 'check_violation', constraint = 'contracts_second_admin';
end $$;
--> statement-breakpoint
create trigger contracts_second_admin before update on contracts for each row
when (
  old.approval_required
  and (old.issuance, old.operator_address, old.approval_required)
    is distinct from (new.issuance, new.operator_address, new.approval_required)
  and (new.applied_change_id is null or new.applied_change_id = old.applied_change_id)
)
execute function refuse_contract_change();
--> statement-breakpoint
create function refuse_transfer_change() returns trigger language plpgsql as $$
begin
  raise exception 'transfers are never changed'
    using errcode = 'integrity_constraint_violation', constraint = 'batch_transfers_immutable';
end $$;
--> statement-breakpoint
create trigger batch_transfers_immutable before update or delete on batch_transfers
for each row execute function refuse_transfer_change();
--> statement-breakpoint
-- Skips compression, because random addresses do not compress.
alter table batch_transfers alter column addresses set storage external;
--> statement-breakpoint
insert into recipient_progress (singleton, created_at, batch_seq) values (true, '1970-01-01T00:00:00Z', 0);
--> statement-breakpoint
alter table recipient_progress add constraint recipient_progress_one_row check (singleton);
--> statement-breakpoint
alter table finalizer_heartbeat add constraint finalizer_heartbeat_one_row check (singleton);
--> statement-breakpoint
alter table ledger_checkpoint add constraint ledger_checkpoint_one_row check (singleton);
--> statement-breakpoint
alter table review_progress add constraint review_progress_one_row check (singleton);
--> statement-breakpoint
alter table accounts set (fillfactor = 80);
