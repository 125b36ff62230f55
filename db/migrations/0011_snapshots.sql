CREATE TABLE "snapshot_holders" (
	"snapshot_id" "bytea" NOT NULL,
	"first_address" "bytea" NOT NULL,
	"addresses" "bytea" NOT NULL,
	"points" numeric(68,12)[] NOT NULL,
	CONSTRAINT "snapshot_holders_snapshot_id_first_address_pk" PRIMARY KEY("snapshot_id","first_address"),
	CONSTRAINT "snapshot_holders_id_length" CHECK (octet_length("snapshot_holders"."snapshot_id") = 16),
	CONSTRAINT "snapshot_holders_first" CHECK ("snapshot_holders"."first_address" = substring("snapshot_holders"."addresses" for 20)),
	CONSTRAINT "snapshot_holders_pairs" CHECK (cardinality("snapshot_holders"."points") between 1 and 10000
        and octet_length("snapshot_holders"."addresses") = 20 * cardinality("snapshot_holders"."points")),
	CONSTRAINT "snapshot_holders_points" CHECK ((0 < all ("snapshot_holders"."points") and 'NaN' > all ("snapshot_holders"."points")) is true)
);
--> statement-breakpoint
CREATE TABLE "snapshots" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"point_type" "point_type" NOT NULL,
	"contract_address" "bytea",
	"includes_contracts" boolean NOT NULL,
	"as_of" timestamp (3) with time zone NOT NULL,
	"status" text DEFAULT 'RUNNING' NOT NULL,
	"requested_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"requested_by" text NOT NULL,
	"claim_id" uuid,
	"attempts" integer DEFAULT 0 NOT NULL,
	"holders" bigint DEFAULT 0 NOT NULL,
	"points" numeric(68,12) DEFAULT '0' NOT NULL,
	"left_out" numeric(68,12),
	"ledger_total" numeric(68,12),
	"digest" "bytea",
	"finished_at" timestamp (3) with time zone,
	"failure" text,
	CONSTRAINT "snapshots_address_length" CHECK (octet_length("snapshots"."contract_address") = 20),
	CONSTRAINT "snapshots_name_length" CHECK (char_length("snapshots"."name") between 1 and 80),
	CONSTRAINT "snapshots_status" CHECK (case "snapshots"."status"
        when 'RUNNING' then
          num_nonnulls("snapshots"."finished_at", "snapshots"."failure", "snapshots"."digest", "snapshots"."left_out", "snapshots"."ledger_total") = 0
        when 'FAILED' then "snapshots"."finished_at" is not null and "snapshots"."failure" is not null
          and num_nonnulls("snapshots"."digest", "snapshots"."left_out", "snapshots"."ledger_total") = 0
        when 'TAKEN' then "snapshots"."failure" is null
          and num_nulls("snapshots"."finished_at", "snapshots"."digest", "snapshots"."left_out", "snapshots"."ledger_total") = 0
        else false end),
	CONSTRAINT "snapshots_digest_length" CHECK (octet_length("snapshots"."digest") = 32),
	CONSTRAINT "snapshots_reconcile" CHECK ("snapshots"."points" + "snapshots"."left_out" = "snapshots"."ledger_total")
);
--> statement-breakpoint
CREATE UNIQUE INDEX IF NOT EXISTS "snapshots_one_running" ON "snapshots" USING btree (coalesce("contract_address", ''::bytea),"point_type") WHERE "snapshots"."status" = 'RUNNING';--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "snapshots_by_contract" ON "snapshots" USING btree ("contract_address","requested_at","id");--> statement-breakpoint
create function refuse_snapshot_change() returns trigger language plpgsql as $$
begin
  raise exception 'snapshots are never changed once they are taken'
    using errcode = 'integrity_constraint_violation', constraint = 'snapshots_immutable';
end $$;
--> statement-breakpoint
create trigger snapshots_immutable before update on snapshots for each row
when (
  old.status <> 'RUNNING'
  or (old.id, old.point_type, old.contract_address, old.includes_contracts, old.as_of)
    is distinct from (new.id, new.point_type, new.contract_address, new.includes_contracts, new.as_of)
)
execute function refuse_snapshot_change();
--> statement-breakpoint
create trigger snapshot_holders_immutable before update on snapshot_holders
for each row execute function refuse_snapshot_change();
--> statement-breakpoint
-- Skips compression, because random addresses do not compress.
alter table snapshot_holders alter column addresses set storage external;