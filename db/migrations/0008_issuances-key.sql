-- The key contains the column by which the table may be distributed, and serves what the index beside it did. The order
-- of issuing, which the self-check follows, has an index of its own. Both may be built by hand before.
CREATE INDEX IF NOT EXISTS "issuances_by_id" ON "issuances" USING btree ("id");--> statement-breakpoint
CREATE UNIQUE INDEX IF NOT EXISTS "issuances_contract_address_id_pk" ON "issuances" USING btree ("contract_address","id");--> statement-breakpoint
ALTER TABLE "issuances" DROP CONSTRAINT "issuances_pkey";--> statement-breakpoint
ALTER TABLE "issuances" ADD CONSTRAINT "issuances_contract_address_id_pk" PRIMARY KEY USING INDEX "issuances_contract_address_id_pk";--> statement-breakpoint
DROP INDEX "issuances_by_contract";
