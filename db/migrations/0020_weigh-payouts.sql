-- Citus refuses triggers on distributed tables without this.
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
  or (old.contract_address, old.seq, old.id, old.point_type, old.points, old.transfer_count, old.digest,
    old.created_at, old.finalize_at, old.submitted_by, old.token_created_by, old.reverses_seq,
    old.reversal_reason)
    is distinct from
    (new.contract_address, new.seq, new.id, new.point_type, new.points, new.transfer_count, new.digest,
      new.created_at, new.finalize_at, new.submitted_by, new.token_created_by, new.reverses_seq,
      new.reversal_reason)
  -- Only a review ends or changes the need for approval, while nobody has approved.
  -- The release of a payout adds it.
  or (old.approval_need is distinct from new.approval_need
    and (old.approval_need is distinct from 'REVIEW' or old.approved_at is not null)
    and not (old.approval_need is null and old.held_for_payout and not new.held_for_payout))
  or (old.approved_at is not null
    and (old.approved_at, old.approved_by) is distinct from (new.approved_at, new.approved_by))
)
execute function refuse_batch_change();
