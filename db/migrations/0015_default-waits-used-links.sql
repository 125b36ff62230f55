ALTER TABLE "staff_invitations" ADD COLUMN "used_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "contracts" ADD COLUMN "default_wait_seconds" integer;--> statement-breakpoint
ALTER TABLE "staff_invitations" ADD CONSTRAINT "staff_invitations_used"
  CHECK ("used_at" is null or "ended" = 'used');--> statement-breakpoint
ALTER TABLE "contracts" ADD CONSTRAINT "contracts_default_wait"
  CHECK ("default_wait_seconds" >= 0);