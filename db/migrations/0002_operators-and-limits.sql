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
CREATE UNLOGGED TABLE "rate_limits" (
	"key" text PRIMARY KEY NOT NULL,
	"points" integer NOT NULL,
	"expire" bigint
);
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "operator_tokens_by_contract" ON "operator_tokens" USING btree ("contract_address");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "operator_tokens_by_expiry" ON "operator_tokens" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "spent_challenges_by_expiry" ON "spent_challenges" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "rate_limits_by_expiry" ON "rate_limits" USING btree ("expire");