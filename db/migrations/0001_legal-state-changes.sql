-- The state machine of server/batches/state.ts, said a second time. The function runs only for what is refused.
create function refuse_batch_change() returns trigger language plpgsql as $$
begin
  raise exception 'illegal change of batch %: % to %', old.id, old.status, new.status
    using errcode = 'integrity_constraint_violation', constraint = 'batches_legal_change';
end $$;
--> statement-breakpoint
create trigger batches_legal_change before update on batches for each row
when (
  not (
    old.status = new.status and old.status in ('PENDING', 'FINALIZING')
    or old.status = 'PENDING' and new.status in ('FINALIZING', 'CANCELLED')
    or old.status = 'FINALIZING' and new.status = 'FINALIZED'
  )
  or (old.contract_address, old.seq, old.id, old.point_type, old.points, old.transfer_count, old.digest, old.created_at, old.finalize_at)
    is distinct from
    (new.contract_address, new.seq, new.id, new.point_type, new.points, new.transfer_count, new.digest, new.created_at, new.finalize_at)
)
execute function refuse_batch_change();
--> statement-breakpoint
create function refuse_transfer_change() returns trigger language plpgsql as $$
begin
  raise exception 'transfers are never changed'
    using errcode = 'integrity_constraint_violation', constraint = 'transfers_immutable';
end $$;
--> statement-breakpoint
create trigger transfers_immutable before update or delete on transfers for each row execute function refuse_transfer_change();
--> statement-breakpoint
insert into recipient_progress (singleton, created_at, batch_seq) values (true, '1970-01-01T00:00:00Z', 0);
--> statement-breakpoint
alter table recipient_progress add constraint recipient_progress_one_row check (singleton);
--> statement-breakpoint
alter table finalizer_heartbeat add constraint finalizer_heartbeat_one_row check (singleton);
--> statement-breakpoint
alter table accounts set (fillfactor = 80);
