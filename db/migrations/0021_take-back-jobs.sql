ALTER TABLE "contract_changes" DROP CONSTRAINT "contract_changes_kind";--> statement-breakpoint
ALTER TABLE "bulk_job_items" DROP CONSTRAINT "bulk_job_items_why";--> statement-breakpoint
ALTER TABLE "bulk_jobs" DROP CONSTRAINT "bulk_jobs_action";--> statement-breakpoint
ALTER TABLE "contract_changes" ADD COLUMN "wait_seconds" integer;--> statement-breakpoint
ALTER TABLE "bulk_jobs" ADD COLUMN "wait_seconds" integer;--> statement-breakpoint
ALTER TABLE "bulk_jobs" ADD COLUMN "needs" jsonb;--> statement-breakpoint
ALTER TABLE "contract_changes" ADD CONSTRAINT "contract_changes_wait"
  CHECK (("kind" = 'WAIT') = ("wait_seconds" is not null));--> statement-breakpoint
ALTER TABLE "contract_changes" ADD CONSTRAINT "contract_changes_kind" CHECK (case "kind"
        when 'RULE' then "point_type" is not null and "on_unusual" is not null
          and num_nonnulls("points", "issuance", "operator_address", "operator_before") = 0
        when 'GRANT' then "point_type" is not null and "points" is not null
          and num_nonnulls("threshold", "on_unusual", "issuance", "operator_address", "operator_before") = 0
        when 'ISSUANCE' then "issuance" is not null
          and num_nonnulls(
            "point_type", "threshold", "on_unusual", "points", "operator_address", "operator_before") = 0
        when 'OPERATOR' then
          num_nonnulls("point_type", "threshold", "on_unusual", "points", "issuance") = 0
        when 'WAIT' then num_nonnulls("point_type", "threshold", "on_unusual", "points", "issuance",
          "operator_address", "operator_before") = 0
        else false end);--> statement-breakpoint
ALTER TABLE "bulk_job_items" ADD CONSTRAINT "bulk_job_items_why"
  CHECK ("result" = 'DONE' or ("why" is null) = ("result" is null)) NOT VALID;--> statement-breakpoint
ALTER TABLE "bulk_jobs" ADD CONSTRAINT "bulk_jobs_action"
  CHECK ("action" in ('hold', 'release', 'cancel', 'reverse'));--> statement-breakpoint
-- Citus refuses triggers on distributed tables without this.
set local citus.enable_unsafe_triggers = 'on';
--> statement-breakpoint
drop trigger contracts_second_admin on contracts;
--> statement-breakpoint
-- A shorter default wait takes an approved change too. Only a change of a wait has no effect as a text.
create trigger contracts_second_admin before update on contracts for each row
when (
  old.approval_required
  and (
    (old.issuance, old.operator_address, old.approval_required)
      is distinct from (new.issuance, new.operator_address, new.approval_required)
    and not coalesce(
      new.applied_at > coalesce(old.applied_at, '-infinity')
      and case
        when (old.operator_address, old.approval_required)
            is not distinct from (new.operator_address, new.approval_required)
          then new.applied_effect = 'ISSUANCE ' || new.issuance::text
        when (old.issuance, old.approval_required) is not distinct from (new.issuance, new.approval_required)
          then new.applied_effect = 'OPERATOR ' || coalesce(encode(new.operator_address, 'hex'), '-')
        when (old.issuance, old.operator_address) is not distinct from (new.issuance, new.operator_address)
          then new.applied_effect like 'RULE %'
        else false end,
      false)
    or new.default_wait_seconds < coalesce(old.default_wait_seconds, 2147483647)
    and not coalesce(
      new.applied_at > coalesce(old.applied_at, '-infinity') and new.applied_effect is null,
      false)
  )
)
execute function refuse_contract_change();
