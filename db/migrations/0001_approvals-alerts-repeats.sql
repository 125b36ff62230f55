ALTER TABLE "alerts" DROP CONSTRAINT "alerts_sent";--> statement-breakpoint
ALTER TABLE "alerts" ADD COLUMN "due_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "alerts" ADD CONSTRAINT "alerts_sent" CHECK ("webhook_sent" in ('nothing', 'start', 'outdated', 'end') and "email_sent" in ('nothing', 'start', 'outdated', 'end'));
--> statement-breakpoint
DROP INDEX IF EXISTS "batches_by_digest";--> statement-breakpoint
ALTER TABLE "batches" ADD COLUMN "transfers_hash" "bytea";--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "batches_by_transfers_hash" ON "batches" USING hash ("transfers_hash");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "batches_without_transfers_hash" ON "batches" USING btree ("contract_address","points") WHERE "batches"."transfers_hash" is null and "batches"."reverses_seq" is null;
--> statement-breakpoint
ALTER TABLE "batches" DROP CONSTRAINT "batches_approval_need";
--> statement-breakpoint
ALTER TABLE "staff" ADD COLUMN "unconfirmed_by" text[] DEFAULT '{}' NOT NULL;
--> statement-breakpoint
ALTER TABLE "staff_invitations" ADD COLUMN "ended" text;
--> statement-breakpoint
ALTER TABLE "issuances" ADD COLUMN "change_id" uuid;
--> statement-breakpoint
ALTER TABLE "issuances" ADD COLUMN "change_effect" text;
--> statement-breakpoint
ALTER TABLE "issuances" ADD COLUMN "change_decided_at" timestamp (3) with time zone;
--> statement-breakpoint
ALTER TABLE "approval_rules" ADD COLUMN "day_threshold" numeric(68,12);
--> statement-breakpoint
ALTER TABLE "approval_rules" ADD COLUMN "day" date;
--> statement-breakpoint
ALTER TABLE "approval_rules" ADD COLUMN "day_points" numeric(68,12) DEFAULT '0' NOT NULL;
--> statement-breakpoint
ALTER TABLE "approval_rules" ADD COLUMN "applied_change_id" uuid;
--> statement-breakpoint
ALTER TABLE "approval_rules" ADD COLUMN "applied_effect" text;
--> statement-breakpoint
ALTER TABLE "approval_rules" ADD COLUMN "applied_at" timestamp (3) with time zone;
--> statement-breakpoint
ALTER TABLE "contract_changes" ADD COLUMN "day_threshold" numeric(68,12);
--> statement-breakpoint
ALTER TABLE "contract_changes" ADD COLUMN "effect" text GENERATED ALWAYS AS (case when decision = 'APPROVED' then case kind
        when 'RULE' then 'RULE ' || case point_type when 'PHASE2_POINTS' then 'PHASE2_POINTS' when 'PHASE2_GOLD' then 'PHASE2_GOLD' end
          || ' ' || coalesce(threshold::text, '-') || ' ' || coalesce(day_threshold::text, '-') || ' ' || on_unusual::text
        when 'GRANT' then 'GRANT ' || case point_type when 'PHASE2_POINTS' then 'PHASE2_POINTS' when 'PHASE2_GOLD' then 'PHASE2_GOLD' end
          || ' ' || points::text
        when 'ISSUANCE' then 'ISSUANCE ' || case issuance when 'ON_DEMAND' then 'ON_DEMAND' when 'PREFUNDED' then 'PREFUNDED' end
        when 'OPERATOR' then 'OPERATOR ' || coalesce(encode(operator_address, 'hex'), '-') end end) STORED;
--> statement-breakpoint
ALTER TABLE "batches" ADD COLUMN "token_created_by" text;
--> statement-breakpoint
ALTER TABLE "contracts" ADD COLUMN "applied_effect" text;
--> statement-breakpoint
ALTER TABLE "contracts" ADD COLUMN "applied_at" timestamp (3) with time zone;
--> statement-breakpoint
ALTER TABLE "contract_changes" ADD CONSTRAINT "contract_changes_effect" UNIQUE("contract_address","id","effect","decided_at");
--> statement-breakpoint
ALTER TABLE "issuances" ADD CONSTRAINT "issuances_change" FOREIGN KEY ("contract_address","change_id","change_effect","change_decided_at") REFERENCES "public"."contract_changes"("contract_address","id","effect","decided_at") ON DELETE no action ON UPDATE no action NOT VALID;
--> statement-breakpoint
ALTER TABLE "approval_rules" ADD CONSTRAINT "approval_rules_applied_change" FOREIGN KEY ("contract_address","applied_change_id","applied_effect","applied_at") REFERENCES "public"."contract_changes"("contract_address","id","effect","decided_at") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "contracts" ADD CONSTRAINT "contracts_applied_effect" FOREIGN KEY ("address","applied_change_id","applied_effect","applied_at") REFERENCES "public"."contract_changes"("contract_address","id","effect","decided_at") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
CREATE UNIQUE INDEX IF NOT EXISTS "issuances_change_once" ON "issuances" USING btree ("contract_address","change_id") WHERE "issuances"."change_id" is not null;
--> statement-breakpoint
ALTER TABLE "staff_invitations" ADD CONSTRAINT "staff_invitations_ended" CHECK ("ended" in ('used', 'replaced'));
--> statement-breakpoint
ALTER TABLE "issuances" ADD CONSTRAINT "issuances_change_whole" CHECK (num_nulls("change_id", "change_effect", "change_decided_at") in (0, 3)) NOT VALID;
--> statement-breakpoint
ALTER TABLE "issuances" ADD CONSTRAINT "issuances_change_effect" CHECK ("change_effect" is null or "change_effect" = 'GRANT ' || "point_type"::text || ' ' || "points"::text and "approved_by" is not null) NOT VALID;
--> statement-breakpoint
ALTER TABLE "approval_rules" ADD CONSTRAINT "approval_rules_day_threshold" CHECK ("day_threshold" > 0);
--> statement-breakpoint
ALTER TABLE "approval_rules" ADD CONSTRAINT "approval_rules_applied_change_whole" CHECK (num_nulls("applied_change_id", "applied_effect", "applied_at") in (0, 3));
--> statement-breakpoint
ALTER TABLE "approval_rules" ADD CONSTRAINT "approval_rules_applied_effect" CHECK ("applied_effect" = 'RULE ' || "point_type"::text || ' ' || coalesce("threshold"::text, '-') || ' '
        || coalesce("day_threshold"::text, '-') || ' ' || "on_unusual"::text);
--> statement-breakpoint
ALTER TABLE "contract_changes" ADD CONSTRAINT "contract_changes_day_threshold" CHECK ("day_threshold" > 0 and ("day_threshold" is null or "kind" = 'RULE'));
--> statement-breakpoint
ALTER TABLE "batches" ADD CONSTRAINT "batches_token_creator" CHECK ("approved_by" <> "token_created_by") NOT VALID;
--> statement-breakpoint
ALTER TABLE "batches" ADD CONSTRAINT "batches_approval_need" CHECK ("approval_need" in ('THRESHOLD', 'DAY', 'REVIEW', 'UNUSUAL', 'NOT_REVIEWED')) NOT VALID;
--> statement-breakpoint
-- Below are objects that the TypeScript schema cannot express. Citus refuses triggers on distributed tables without this.
set local citus.enable_unsafe_triggers = 'on';
--> statement-breakpoint
drop trigger batches_legal_change on batches;
--> statement-breakpoint
create trigger batches_legal_change before update on batches for each row
when (
  not (
    old.status = new.status and old.status in ('PENDING', 'FINALIZING')
    or old.status = 'PENDING' and new.status in ('FINALIZING', 'CANCELLED')
    or old.status = 'FINALIZING' and new.status = 'FINALIZED'
  )
  or (old.contract_address, old.seq, old.id, old.point_type, old.points, old.transfer_count, old.digest, old.created_at, old.finalize_at, old.submitted_by, old.token_created_by, old.reverses_seq, old.reversal_reason)
    is distinct from
    (new.contract_address, new.seq, new.id, new.point_type, new.points, new.transfer_count, new.digest, new.created_at, new.finalize_at, new.submitted_by, new.token_created_by, new.reverses_seq, new.reversal_reason)
  -- Only a review ends or changes the need for approval, while nobody has approved.
  or (old.approval_need is distinct from new.approval_need
    and (old.approval_need is distinct from 'REVIEW' or old.approved_at is not null))
  or (old.approved_at is not null and (old.approved_at, old.approved_by) is distinct from (new.approved_at, new.approved_by))
)
execute function refuse_batch_change();
--> statement-breakpoint
drop trigger contracts_second_admin on contracts;
--> statement-breakpoint
-- The foreign key proves that the change was approved, and this that it allows exactly what changes. Each decision of a contract
-- is later than the one before, so no change is applied twice.
create trigger contracts_second_admin before update on contracts for each row
when (
  old.approval_required
  and (old.issuance, old.operator_address, old.approval_required)
    is distinct from (new.issuance, new.operator_address, new.approval_required)
  and not coalesce(
    new.applied_at > coalesce(old.applied_at, '-infinity')
    and case
      when (old.operator_address, old.approval_required) is not distinct from (new.operator_address, new.approval_required)
        then new.applied_effect = 'ISSUANCE ' || new.issuance::text
      when (old.issuance, old.approval_required) is not distinct from (new.issuance, new.approval_required)
        then new.applied_effect = 'OPERATOR ' || coalesce(encode(new.operator_address, 'hex'), '-')
      when (old.issuance, old.operator_address) is not distinct from (new.issuance, new.operator_address)
        then new.applied_effect like 'RULE %'
      else false end,
    false)
)
execute function refuse_contract_change();
--> statement-breakpoint
-- A constraint compares a rule with the change that it names.
create trigger approval_rules_second_admin before update on approval_rules for each row
when (
  (old.contract_address, old.point_type, old.threshold, old.on_unusual, old.day_threshold)
    is distinct from (new.contract_address, new.point_type, new.threshold, new.on_unusual, new.day_threshold)
  and not coalesce(new.applied_at > coalesce(old.applied_at, '-infinity'), false)
)
execute function refuse_contract_change();
--> statement-breakpoint
create trigger approval_rules_never_deleted before delete on approval_rules for each row execute function refuse_contract_change();
