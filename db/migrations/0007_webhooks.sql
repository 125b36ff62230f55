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
CREATE INDEX IF NOT EXISTS "webhook_deliveries_due" ON "webhook_deliveries" USING btree ("contract_address","endpoint_id","next_attempt_at") WHERE "webhook_deliveries"."next_attempt_at" is not null;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "webhook_deliveries_log" ON "webhook_deliveries" USING btree ("contract_address","endpoint_id","event_at","id");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "webhook_deliveries_by_age" ON "webhook_deliveries" USING btree ("event_at");