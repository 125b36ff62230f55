ALTER TABLE "batch_reviews" ADD COLUMN "due_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "batch_reviews" ALTER COLUMN "due_at" SET DEFAULT 'infinity';--> statement-breakpoint
-- Of earlier reviews only those of pending batches can still start an alert, and only with these findings.
UPDATE "batch_reviews" r SET "due_at" = b."finalize_at" FROM "batches" b
WHERE b."contract_address" = r."contract_address" AND b."seq" = r."batch_seq" AND b."status" = 'PENDING'
  AND array[r."findings" #>> '{total,level}', r."findings" #>> '{largestTransfer,level}',
    r."findings" #>> '{repeats,level}', r."findings" #>> '{share,level}'] && array['unusual', 'alarming'];--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "batch_reviews_by_due" ON "batch_reviews" USING btree ("due_at") WHERE "batch_reviews"."due_at" is not null;
