CREATE INDEX IF NOT EXISTS "request_log_by_code" ON "request_log" USING btree ("contract_address","code","created_at","id");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "request_log_by_token" ON "request_log" USING btree ("contract_address","token_id","created_at","id");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "request_log_by_request_id" ON "request_log" USING btree ("request_id","contract_address","created_at","id");--> statement-breakpoint
DROP INDEX IF EXISTS "request_log_by_request";
