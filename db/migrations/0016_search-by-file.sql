CREATE INDEX IF NOT EXISTS "payout_parts_of_files" ON "payout_parts" USING btree ("batch_seq") WHERE "payout_parts"."part" = 1;
