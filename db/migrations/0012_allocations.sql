CREATE TABLE "allocation_claims" (
	"allocation_id" "bytea" NOT NULL,
	"first_index" integer NOT NULL,
	"first_address" "bytea" NOT NULL,
	"addresses" "bytea" NOT NULL,
	"amounts" numeric(78,0)[] NOT NULL,
	"positions" integer[],
	"is_published" boolean DEFAULT false NOT NULL,
	CONSTRAINT "allocation_claims_allocation_id_first_index_pk" PRIMARY KEY("allocation_id","first_index"),
	CONSTRAINT "allocation_claims_by_address" UNIQUE("allocation_id","first_address"),
	CONSTRAINT "allocation_claims_id_length" CHECK (octet_length("allocation_claims"."allocation_id") = 16),
	CONSTRAINT "allocation_claims_first_index" CHECK ("allocation_claims"."first_index" >= 0 and mod("allocation_claims"."first_index", 1000) = 0),
	CONSTRAINT "allocation_claims_first_address" CHECK ("allocation_claims"."first_address" = substring("allocation_claims"."addresses" for 20)),
	CONSTRAINT "allocation_claims_pairs" CHECK (cardinality("allocation_claims"."amounts") between 1 and 1000
        and octet_length("allocation_claims"."addresses") = 20 * cardinality("allocation_claims"."amounts")
        and cardinality("allocation_claims"."positions") = cardinality("allocation_claims"."amounts")),
	CONSTRAINT "allocation_claims_amounts" CHECK ((0 < all ("allocation_claims"."amounts") and 115792089237316195423570985008687907853269984665640564039457584007913129639936 > all ("allocation_claims"."amounts")) is true),
	CONSTRAINT "allocation_claims_complete" CHECK ("allocation_claims"."positions" is not null or not "allocation_claims"."is_published")
);
--> statement-breakpoint
CREATE TABLE "allocation_nodes" (
	"allocation_id" "bytea" NOT NULL,
	"first_node" integer NOT NULL,
	"hashes" "bytea" NOT NULL,
	CONSTRAINT "allocation_nodes_allocation_id_first_node_pk" PRIMARY KEY("allocation_id","first_node"),
	CONSTRAINT "allocation_nodes_id_length" CHECK (octet_length("allocation_nodes"."allocation_id") = 16),
	CONSTRAINT "allocation_nodes_first_node" CHECK ("allocation_nodes"."first_node" >= 0 and mod("allocation_nodes"."first_node", 32) = 0),
	CONSTRAINT "allocation_nodes_hashes" CHECK (octet_length("allocation_nodes"."hashes") between 32 and 1024 and mod(octet_length("allocation_nodes"."hashes"), 32) = 0)
);
--> statement-breakpoint
CREATE TABLE "allocations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"snapshot_id" uuid NOT NULL,
	"name" text NOT NULL,
	"rule" text NOT NULL,
	"total" numeric(78,0),
	"rate" numeric(114,36),
	"decimals" integer NOT NULL,
	"minimum" numeric(78,0) NOT NULL,
	"excluded" "bytea" NOT NULL,
	"status" text DEFAULT 'RUNNING' NOT NULL,
	"requested_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"requested_by" text NOT NULL,
	"worker_id" uuid,
	"attempts" integer DEFAULT 0 NOT NULL,
	"claims" integer,
	"without_claim" bigint,
	"sum" numeric(78,0),
	"dust" numeric(78,0),
	"smallest" numeric(78,0),
	"median" numeric(78,0),
	"largest" numeric(78,0),
	"root" "bytea",
	"uniswap_root" "bytea",
	"sablier_root" "bytea",
	"finished_at" timestamp (3) with time zone,
	"failure" text,
	"published_at" timestamp (3) with time zone,
	"published_by" text,
	CONSTRAINT "allocations_name_length" CHECK (char_length("allocations"."name") between 1 and 80),
	CONSTRAINT "allocations_rule" CHECK (case "allocations"."rule"
        when 'PRO_RATA' then "allocations"."total" is not null and "allocations"."rate" is null
        when 'FIXED_RATE' then "allocations"."rate" is not null and "allocations"."total" is null
        else false end),
	CONSTRAINT "allocations_total" CHECK ("allocations"."total" > 0 and "allocations"."total" < 115792089237316195423570985008687907853269984665640564039457584007913129639936),
	CONSTRAINT "allocations_rate" CHECK ("allocations"."rate" > 0 and "allocations"."rate" < 'NaN'),
	CONSTRAINT "allocations_decimals" CHECK ("allocations"."decimals" between 0 and 36),
	CONSTRAINT "allocations_minimum" CHECK ("allocations"."minimum" > 0 and "allocations"."minimum" < 115792089237316195423570985008687907853269984665640564039457584007913129639936),
	CONSTRAINT "allocations_excluded" CHECK (mod(octet_length("allocations"."excluded"), 20) = 0 and octet_length("allocations"."excluded") <= 200000),
	CONSTRAINT "allocations_status" CHECK (case "allocations"."status"
        when 'RUNNING' then num_nonnulls("allocations"."finished_at", "allocations"."failure", "allocations"."claims", "allocations"."published_at") = 0
        when 'FAILED' then "allocations"."finished_at" is not null and "allocations"."failure" is not null
          and num_nonnulls("allocations"."claims", "allocations"."published_at") = 0
        when 'READY' then "allocations"."finished_at" is not null and "allocations"."failure" is null
          and num_nulls("allocations"."claims", "allocations"."root", "allocations"."uniswap_root") = 0
        else false end),
	CONSTRAINT "allocations_result" CHECK (num_nulls("allocations"."claims", "allocations"."without_claim", "allocations"."sum", "allocations"."dust", "allocations"."smallest", "allocations"."median",
        "allocations"."largest") in (0, 7)),
	CONSTRAINT "allocations_sum" CHECK ("allocations"."claims" > 0 and "allocations"."sum" > 0 and "allocations"."sum" < 115792089237316195423570985008687907853269984665640564039457584007913129639936),
	CONSTRAINT "allocations_whole" CHECK ("allocations"."rule" <> 'PRO_RATA' or "allocations"."sum" = "allocations"."total"),
	CONSTRAINT "allocations_roots_length" CHECK (octet_length("allocations"."root") = 32 and octet_length("allocations"."uniswap_root") = 32 and octet_length("allocations"."sablier_root") = 32),
	CONSTRAINT "allocations_published" CHECK (("allocations"."published_at" is null) = ("allocations"."published_by" is null))
);
--> statement-breakpoint
ALTER TABLE "allocations" ADD CONSTRAINT "allocations_snapshot_id_snapshots_id_fk" FOREIGN KEY ("snapshot_id") REFERENCES "public"."snapshots"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "allocations_by_snapshot" ON "allocations" USING btree ("snapshot_id","requested_at","id");
--> statement-breakpoint
create function refuse_allocation_change() returns trigger language plpgsql as $$
begin
  raise exception 'allocations are never changed once they are made, nor deleted once they are published'
    using errcode = 'integrity_constraint_violation', constraint = 'allocations_immutable';
end $$;
--> statement-breakpoint
-- The request never changes, and neither does the result, but for who published it and when.
create trigger allocations_immutable before update on allocations for each row
when (
  old.published_at is not null or old.status = 'FAILED'
  or (old.id, old.snapshot_id, old.name, old.rule, old.total, old.rate, old.decimals, old.minimum, old.excluded,
      old.requested_at, old.requested_by)
    is distinct from (new.id, new.snapshot_id, new.name, new.rule, new.total, new.rate, new.decimals,
      new.minimum, new.excluded, new.requested_at, new.requested_by)
  or old.status = 'READY' and (old.status, old.claims, old.without_claim, old.sum, old.dust, old.smallest,
      old.median, old.largest, old.root, old.uniswap_root, old.sablier_root, old.finished_at)
    is distinct from (new.status, new.claims, new.without_claim, new.sum, new.dust, new.smallest,
      new.median, new.largest, new.root, new.uniswap_root, new.sablier_root, new.finished_at)
)
execute function refuse_allocation_change();
--> statement-breakpoint
create trigger allocations_kept before delete on allocations for each row
when (old.published_at is not null) execute function refuse_allocation_change();
--> statement-breakpoint
-- Two things happen to a row, each once: it gets the places of its leaves, and it is published.
create trigger allocation_claims_immutable before update on allocation_claims for each row
when (
  old.is_published
  or (old.allocation_id, old.first_index, old.first_address, old.addresses, old.amounts)
    is distinct from (new.allocation_id, new.first_index, new.first_address, new.addresses, new.amounts)
  or old.positions is not null and old.positions is distinct from new.positions
)
execute function refuse_allocation_change();
--> statement-breakpoint
create trigger allocation_claims_kept before delete on allocation_claims for each row
when (old.is_published) execute function refuse_allocation_change();
--> statement-breakpoint
create trigger allocation_nodes_immutable before update on allocation_nodes for each row
execute function refuse_allocation_change();
--> statement-breakpoint
-- Skips compression, because random addresses and hashes do not compress.
alter table allocation_claims alter column addresses set storage external;
