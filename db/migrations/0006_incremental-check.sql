CREATE TABLE "ledger_checkpoint" (
	"singleton" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"horizon" timestamp (3) with time zone NOT NULL,
	"issuance_id" bigint NOT NULL,
	"slices" integer NOT NULL,
	"slices_done" integer DEFAULT 0 NOT NULL,
	"slice_batches" bigint NOT NULL,
	"slice_accounts" bigint NOT NULL,
	"batch_seq_max" bigint NOT NULL,
	"round_started_at" timestamp (3) with time zone NOT NULL,
	"round_finished_at" timestamp (3) with time zone NOT NULL,
	"last_created_at" timestamp (3) with time zone NOT NULL,
	"last_batch_seq" bigint NOT NULL,
	"last_address" "bytea" NOT NULL
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
ALTER TABLE "finalizer_heartbeat" ADD COLUMN "batches_finalized" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "finalizer_heartbeat" ADD COLUMN "transfers_settled" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "ledger_checks" ADD COLUMN "reach" text DEFAULT 'whole' NOT NULL;--> statement-breakpoint
ALTER TABLE "ledger_checks" ADD CONSTRAINT "ledger_checks_reach" CHECK ("ledger_checks"."reach" in ('whole', 'incremental'));
--> statement-breakpoint
alter table ledger_checkpoint add constraint ledger_checkpoint_one_row check (singleton);
--> statement-breakpoint
update finalizer_heartbeat set
  batches_finalized = (select count(*) from batches where status = 'FINALIZED'),
  transfers_settled = (select coalesce(sum(transfer_count), 0) from batches where status = 'FINALIZED');
