DROP TABLE "saved_views";--> statement-breakpoint
DROP TABLE "batch_notes";--> statement-breakpoint
DROP TABLE "ledger_days";
