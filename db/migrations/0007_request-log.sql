CREATE TABLE "request_log" (
	"contract_address" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "request_log_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"operation" text NOT NULL,
	"status" integer NOT NULL,
	"code" text,
	"request_id" text NOT NULL,
	"token_id" uuid,
	"caller" text NOT NULL,
	"client_network" text NOT NULL,
	"errors" jsonb,
	CONSTRAINT "request_log_contract_address_created_at_id_pk" PRIMARY KEY("contract_address","created_at","id"),
	CONSTRAINT "request_log_address_length" CHECK (octet_length("request_log"."contract_address") = 20)
);
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "request_log_by_request" ON "request_log" USING btree ("request_id");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "request_log_by_age" ON "request_log" USING btree ("created_at");