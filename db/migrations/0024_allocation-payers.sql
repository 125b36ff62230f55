ALTER TABLE "allocations" ADD COLUMN "payer" text;--> statement-breakpoint
ALTER TABLE "allocations" ADD CONSTRAINT "allocations_payer"
  CHECK (char_length("payer") between 1 and 32);--> statement-breakpoint
create trigger allocations_payer_immutable before update on allocations for each row
when (old.payer is distinct from new.payer) execute function refuse_allocation_change();
