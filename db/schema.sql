create type batch_status as enum ('PENDING', 'CANCELLED', 'FINALIZING', 'FINALIZED');
create type issuance as enum ('ON_DEMAND', 'PREFUNDED');
create type point_type as enum ('PHASE2_POINTS', 'PHASE2_GOLD');
create type staff_role as enum ('viewer', 'operator', 'admin');

create sequence audit_log_id_seq as bigint increment 1 minvalue 1 maxvalue 9223372036854775807 start 1 cache 1;
create sequence batches_seq_seq as bigint increment 1 minvalue 1 maxvalue 9223372036854775807 start 1 cache 1;
create sequence issuances_id_seq as bigint increment 1 minvalue 1 maxvalue 9223372036854775807 start 1 cache 1;
create sequence ledger_checks_id_seq as bigint increment 1 minvalue 1 maxvalue 9223372036854775807 start 1 cache 1;

create table access_tokens (
  id uuid default gen_random_uuid() not null,
  token_hash bytea not null,
  contract_address bytea not null,
  name text not null,
  token_end text,
  scopes text[] not null,
  created_by text not null,
  created_at timestamp(3) with time zone default now() not null,
  expires_at timestamp(3) with time zone,
  last_used_at timestamp(3) with time zone,
  revoked_at timestamp(3) with time zone,
  constraint access_tokens_pkey PRIMARY KEY (id),
  constraint access_tokens_hash_length CHECK ((octet_length(token_hash) = 32)),
  constraint access_tokens_scopes CHECK (((cardinality(scopes) > 0) AND (scopes <@ ARRAY['batches:read'::text, 'batches:write'::text, 'batches:reverse'::text])))
);
CREATE INDEX access_tokens_by_contract ON public.access_tokens USING btree (contract_address, created_at);
CREATE UNIQUE INDEX access_tokens_hash ON public.access_tokens USING btree (token_hash);
CREATE UNIQUE INDEX access_tokens_pkey ON public.access_tokens USING btree (id);

create table accounts (
  address bytea not null,
  point_type point_type not null,
  earned numeric(68,12) default '0'::numeric not null,
  received numeric(68,12) default '0'::numeric not null,
  sent numeric(68,12) default '0'::numeric not null,
  pending numeric(68,12) default '0'::numeric not null,
  issued_last numeric(68,12) default '0'::numeric not null,
  constraint accounts_address_point_type_pk PRIMARY KEY (address, point_type),
  constraint accounts_address_length CHECK ((octet_length(address) = 20)),
  constraint accounts_available CHECK (((((earned + received) - sent) - pending) >= (0)::numeric)),
  constraint accounts_not_negative CHECK ((LEAST(earned, received, sent, pending) >= (0)::numeric))
);
alter table accounts set (fillfactor=80);
CREATE UNIQUE INDEX accounts_address_point_type_pk ON public.accounts USING btree (address, point_type);

create table alert_jobs (
  name text not null,
  next_at timestamp(3) with time zone not null,
  failures integer default 0 not null,
  failure text,
  succeeded_at timestamp(3) with time zone,
  constraint alert_jobs_pkey PRIMARY KEY (name)
);
CREATE UNIQUE INDEX alert_jobs_pkey ON public.alert_jobs USING btree (name);

create table alert_views (
  alert_id uuid not null,
  seen_by text not null,
  seen_at timestamp(3) with time zone default now() not null,
  constraint alert_views_alert_id_seen_by_pk PRIMARY KEY (alert_id, seen_by),
  constraint alert_views_alert_id_alerts_id_fk FOREIGN KEY (alert_id) REFERENCES alerts(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX alert_views_alert_id_seen_by_pk ON public.alert_views USING btree (alert_id, seen_by);

create table alerts (
  id uuid default gen_random_uuid() not null,
  kind text not null,
  subject text not null,
  severity text not null,
  title text not null,
  remedy text not null,
  path text not null,
  started_at timestamp(3) with time zone default now() not null,
  cleared_at timestamp(3) with time zone,
  ended_at timestamp(3) with time zone,
  returns integer default 0 not null,
  webhook_sent text default 'nothing'::text not null,
  email_sent text default 'nothing'::text not null,
  constraint alerts_pkey PRIMARY KEY (id),
  constraint alerts_cleared CHECK (((ended_at IS NULL) OR (cleared_at IS NOT NULL))),
  constraint alerts_sent CHECK (((webhook_sent = ANY (ARRAY['nothing'::text, 'start'::text, 'end'::text])) AND (email_sent = ANY (ARRAY['nothing'::text, 'start'::text, 'end'::text])))),
  constraint alerts_severity CHECK ((severity = ANY (ARRAY['critical'::text, 'warning'::text])))
);
CREATE INDEX alerts_by_start ON public.alerts USING btree (started_at, id);
CREATE INDEX alerts_by_subject ON public.alerts USING btree (kind, subject, ended_at);
CREATE UNIQUE INDEX alerts_open ON public.alerts USING btree (kind, subject) WHERE (ended_at IS NULL);
CREATE UNIQUE INDEX alerts_pkey ON public.alerts USING btree (id);
CREATE INDEX alerts_unsent ON public.alerts USING btree (started_at) WHERE ((webhook_sent <> 'end'::text) OR (email_sent <> 'end'::text));

create table approval_rules (
  contract_address bytea not null,
  point_type point_type not null,
  threshold numeric(68,12),
  on_unusual boolean not null,
  constraint approval_rules_contract_address_point_type_pk PRIMARY KEY (contract_address, point_type),
  constraint approval_rules_address_length CHECK ((octet_length(contract_address) = 20)),
  constraint approval_rules_threshold CHECK ((threshold > (0)::numeric))
);
CREATE UNIQUE INDEX approval_rules_contract_address_point_type_pk ON public.approval_rules USING btree (contract_address, point_type);

create table audit_log (
  id bigint generated always as identity not null,
  at timestamp(3) with time zone default now() not null,
  actor text not null,
  action text not null,
  target text not null,
  detail jsonb default '{}'::jsonb not null,
  request_id text,
  constraint audit_log_pkey PRIMARY KEY (id)
);
CREATE INDEX audit_log_by_action ON public.audit_log USING btree (action, id);
CREATE INDEX audit_log_by_actor ON public.audit_log USING btree (actor, id);
CREATE INDEX audit_log_by_request ON public.audit_log USING btree (request_id, id);
CREATE INDEX audit_log_by_target ON public.audit_log USING btree (target, id);
CREATE UNIQUE INDEX audit_log_pkey ON public.audit_log USING btree (id);

create table batch_corrections (
  contract_address bytea not null,
  batch_seq bigint not null,
  corrects_seq bigint not null,
  constraint batch_corrections_contract_address_batch_seq_pk PRIMARY KEY (contract_address, batch_seq),
  constraint batch_corrections_later CHECK ((batch_seq > corrects_seq))
);
CREATE INDEX batch_corrections_by_cancelled ON public.batch_corrections USING btree (contract_address, corrects_seq, batch_seq);
CREATE UNIQUE INDEX batch_corrections_contract_address_batch_seq_pk ON public.batch_corrections USING btree (contract_address, batch_seq);

create table batch_notes (
  id uuid not null,
  contract_address bytea not null,
  batch_seq bigint not null,
  created_at timestamp(3) with time zone default clock_timestamp() not null,
  written_by text not null,
  text text not null,
  constraint batch_notes_pkey PRIMARY KEY (id),
  constraint batch_notes_text_length CHECK (((char_length(text) >= 1) AND (char_length(text) <= 1000)))
);
CREATE INDEX batch_notes_by_batch ON public.batch_notes USING btree (contract_address, batch_seq, created_at);
CREATE UNIQUE INDEX batch_notes_pkey ON public.batch_notes USING btree (id);

create table batch_reviews (
  contract_address bytea not null,
  batch_seq bigint not null,
  created_at timestamp(3) with time zone not null,
  level text not null,
  findings jsonb not null,
  reviewed_at timestamp(3) with time zone not null,
  constraint batch_reviews_contract_address_batch_seq_pk PRIMARY KEY (contract_address, batch_seq),
  constraint batch_reviews_address_length CHECK ((octet_length(contract_address) = 20)),
  constraint batch_reviews_level CHECK ((level = ANY (ARRAY['unusual'::text, 'alarming'::text])))
);
CREATE INDEX batch_reviews_by_contract ON public.batch_reviews USING btree (contract_address, created_at, batch_seq);
CREATE INDEX batch_reviews_by_creation ON public.batch_reviews USING btree (created_at, batch_seq);
CREATE UNIQUE INDEX batch_reviews_contract_address_batch_seq_pk ON public.batch_reviews USING btree (contract_address, batch_seq);

create table batch_roots (
  contract_address bytea not null,
  batch_seq bigint not null,
  root bytea not null,
  constraint batch_roots_contract_address_batch_seq_pk PRIMARY KEY (contract_address, batch_seq),
  constraint batch_roots_length CHECK ((octet_length(root) = 32))
);
CREATE UNIQUE INDEX batch_roots_contract_address_batch_seq_pk ON public.batch_roots USING btree (contract_address, batch_seq);

create table batch_transfers (
  batch_seq bigint not null,
  contract_address bytea not null,
  addresses bytea storage external not null,
  points numeric(38,12)[] not null,
  constraint batch_transfers_batch_seq_contract_address_pk PRIMARY KEY (batch_seq, contract_address),
  constraint batch_transfers_address_length CHECK ((octet_length(contract_address) = 20)),
  constraint batch_transfers_not_empty CHECK ((cardinality(points) > 0)),
  constraint batch_transfers_pairs CHECK ((octet_length(addresses) = (20 * cardinality(points)))),
  constraint batch_transfers_points CHECK (((((0)::numeric < ALL (points)) AND ('NaN'::numeric > ALL (points))) IS TRUE))
);
CREATE UNIQUE INDEX batch_transfers_batch_seq_contract_address_pk ON public.batch_transfers USING btree (batch_seq, contract_address);
CREATE TRIGGER batch_transfers_immutable BEFORE DELETE OR UPDATE ON public.batch_transfers FOR EACH ROW EXECUTE FUNCTION refuse_transfer_change();

create table batch_uploads (
  contract_address bytea not null,
  batch_seq bigint not null,
  upload_id uuid not null,
  part integer not null,
  part_count integer not null,
  file_name text not null,
  constraint batch_uploads_contract_address_batch_seq_pk PRIMARY KEY (contract_address, batch_seq),
  constraint batch_uploads_file_name_length CHECK (((length(file_name) >= 1) AND (length(file_name) <= 255))),
  constraint batch_uploads_part CHECK (((part >= 1) AND (part <= part_count)))
);
CREATE INDEX batch_uploads_by_upload ON public.batch_uploads USING btree (upload_id, part);
CREATE UNIQUE INDEX batch_uploads_contract_address_batch_seq_pk ON public.batch_uploads USING btree (contract_address, batch_seq);

create table batches (
  contract_address bytea not null,
  seq bigint generated always as identity not null,
  id text not null,
  point_type point_type not null,
  status batch_status default 'PENDING'::batch_status not null,
  points numeric(68,12) not null,
  transfer_count integer not null,
  wait_seconds integer not null,
  digest bytea not null,
  submitted_by text not null,
  submit_request_id text not null,
  created_at timestamp(3) with time zone not null,
  finalize_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone,
  claim_id uuid,
  claimed_at timestamp(3) with time zone,
  lease_until timestamp(3) with time zone,
  finalized_at timestamp(3) with time zone,
  cancelled_at timestamp(3) with time zone,
  cancelled_by text,
  cancel_reason text,
  cancel_request_id text,
  held_at timestamp(3) with time zone,
  held_by text,
  hold_reason text,
  approval_need text,
  awaits_approval boolean default false not null,
  approved_at timestamp(3) with time zone,
  approved_by text,
  reverses_seq bigint,
  reversal_reason text,
  constraint batches_contract_address_seq_pk PRIMARY KEY (contract_address, seq),
  constraint batches_id UNIQUE (contract_address, id),
  constraint batches_address_length CHECK ((octet_length(contract_address) = 20)),
  constraint batches_approval_need CHECK ((approval_need = ANY (ARRAY['THRESHOLD'::text, 'REVIEW'::text, 'UNUSUAL'::text, 'NOT_REVIEWED'::text]))),
  constraint batches_awaits_approval CHECK (((awaits_approval = ((approval_need IS NOT NULL) AND (approved_at IS NULL))) AND ((NOT awaits_approval) OR (status = ANY (ARRAY['PENDING'::batch_status, 'CANCELLED'::batch_status]))))),
  constraint batches_digest_length CHECK ((octet_length(digest) = 32)),
  constraint batches_held CHECK (((held_at IS NULL) OR (status = ANY (ARRAY['PENDING'::batch_status, 'CANCELLED'::batch_status])))),
  constraint batches_hold_whole CHECK ((((held_at IS NULL) = (held_by IS NULL)) AND ((held_at IS NULL) = (hold_reason IS NULL)))),
  constraint batches_points CHECK ((points > (0)::numeric)),
  constraint batches_reversal_later CHECK ((seq > reverses_seq)),
  constraint batches_reversal_reason CHECK (((reversal_reason IS NULL) OR (reverses_seq IS NOT NULL))),
  constraint batches_second_person CHECK ((((approved_at IS NULL) = (approved_by IS NULL)) AND ((approved_at IS NULL) OR (approval_need IS NOT NULL)) AND ((approved_by IS NULL) OR (approved_by <> submitted_by)))),
  constraint batches_status_times CHECK ((((status = 'FINALIZED'::batch_status) = (finalized_at IS NOT NULL)) AND ((status = 'CANCELLED'::batch_status) = (cancelled_at IS NOT NULL)) AND ((status = 'FINALIZING'::batch_status) = (lease_until IS NOT NULL)) AND ((status = 'PENDING'::batch_status) = (updated_at IS NULL)))),
  constraint batches_transfer_count CHECK ((transfer_count > 0))
);
CREATE INDEX batches_awaiting_approval ON public.batches USING btree (finalize_at, seq) WHERE ((status = 'PENDING'::batch_status) AND awaits_approval);
CREATE INDEX batches_by_contract ON public.batches USING btree (contract_address, created_at, seq);
CREATE INDEX batches_by_contract_cancelled ON public.batches USING btree (contract_address, cancelled_at, seq) WHERE (status = 'CANCELLED'::batch_status);
CREATE INDEX batches_by_contract_finalized ON public.batches USING btree (contract_address, finalized_at, seq) WHERE (status = 'FINALIZED'::batch_status);
CREATE INDEX batches_by_contract_status ON public.batches USING btree (contract_address, status, created_at, seq);
CREATE INDEX batches_by_contract_type ON public.batches USING btree (contract_address, point_type, created_at, seq);
CREATE INDEX batches_by_contract_type_status ON public.batches USING btree (contract_address, point_type, status, created_at, seq);
CREATE INDEX batches_by_creation ON public.batches USING btree (created_at, seq);
CREATE INDEX batches_by_digest ON public.batches USING hash (digest);
CREATE INDEX batches_by_due ON public.batches USING btree (finalize_at, seq);
CREATE INDEX batches_by_id ON public.batches USING btree (id text_pattern_ops);
CREATE INDEX batches_by_points ON public.batches USING btree (point_type, points, seq);
CREATE INDEX batches_by_reversed ON public.batches USING btree (contract_address, reverses_seq, seq) WHERE (reverses_seq IS NOT NULL);
CREATE INDEX batches_by_status ON public.batches USING btree (status, created_at, seq);
CREATE INDEX batches_by_submitter ON public.batches USING btree (submitted_by, created_at, seq);
CREATE INDEX batches_by_type ON public.batches USING btree (point_type, created_at, seq);
CREATE UNIQUE INDEX batches_contract_address_seq_pk ON public.batches USING btree (contract_address, seq);
CREATE INDEX batches_due ON public.batches USING btree (finalize_at, contract_address, seq) WHERE ((status = 'PENDING'::batch_status) AND (held_at IS NULL) AND (NOT awaits_approval));
CREATE INDEX batches_finalized ON public.batches USING btree (finalized_at) WHERE (status = 'FINALIZED'::batch_status);
CREATE INDEX batches_held_now ON public.batches USING btree (held_at) WHERE ((status = 'PENDING'::batch_status) AND (held_at IS NOT NULL));
CREATE UNIQUE INDEX batches_id ON public.batches USING btree (contract_address, id);
CREATE INDEX batches_leased ON public.batches USING btree (lease_until) WHERE (status = 'FINALIZING'::batch_status);
CREATE TRIGGER batches_legal_change BEFORE UPDATE ON public.batches FOR EACH ROW WHEN (((NOT (((old.status = new.status) AND (old.status = ANY (ARRAY['PENDING'::batch_status, 'FINALIZING'::batch_status]))) OR ((old.status = 'PENDING'::batch_status) AND (new.status = ANY (ARRAY['FINALIZING'::batch_status, 'CANCELLED'::batch_status]))) OR ((old.status = 'FINALIZING'::batch_status) AND (new.status = 'FINALIZED'::batch_status)))) OR ((((((((((((old.contract_address IS DISTINCT FROM new.contract_address) OR (old.seq IS DISTINCT FROM new.seq)) OR (old.id IS DISTINCT FROM new.id)) OR (old.point_type IS DISTINCT FROM new.point_type)) OR (old.points IS DISTINCT FROM new.points)) OR (old.transfer_count IS DISTINCT FROM new.transfer_count)) OR (old.digest IS DISTINCT FROM new.digest)) OR (old.created_at IS DISTINCT FROM new.created_at)) OR (old.finalize_at IS DISTINCT FROM new.finalize_at)) OR (old.submitted_by IS DISTINCT FROM new.submitted_by)) OR (old.reverses_seq IS DISTINCT FROM new.reverses_seq)) OR (old.reversal_reason IS DISTINCT FROM new.reversal_reason)) OR ((old.approval_need IS DISTINCT FROM new.approval_need) AND ((old.approval_need IS DISTINCT FROM 'REVIEW'::text) OR (old.approved_at IS NOT NULL))) OR ((old.approved_at IS NOT NULL) AND ((old.approved_at IS DISTINCT FROM new.approved_at) OR (old.approved_by IS DISTINCT FROM new.approved_by))))) EXECUTE FUNCTION refuse_batch_change();

create table bulk_job_items (
  job_id uuid not null,
  "position" integer not null,
  contract_address bytea not null,
  batch_id text not null,
  point_type point_type not null,
  points numeric(68,12) not null,
  transfer_count integer not null,
  result text,
  result_at timestamp(3) with time zone,
  why text,
  why_by text,
  why_at timestamp(3) with time zone,
  constraint bulk_job_items_job_id_position_pk PRIMARY KEY (job_id, "position"),
  constraint bulk_job_items_result CHECK ((result = ANY (ARRAY['DONE'::text, 'EXCLUDED'::text, 'OVERTAKEN'::text, 'FAILED'::text]))),
  constraint bulk_job_items_why CHECK (((why IS NOT NULL) = COALESCE((result = ANY (ARRAY['EXCLUDED'::text, 'OVERTAKEN'::text, 'FAILED'::text])), false)))
);
CREATE INDEX bulk_job_items_by_result ON public.bulk_job_items USING btree (job_id, result, "position");
CREATE UNIQUE INDEX bulk_job_items_job_id_position_pk ON public.bulk_job_items USING btree (job_id, "position");

create table bulk_jobs (
  id uuid not null,
  action text not null,
  filters jsonb,
  frozen_at timestamp(3) with time zone not null,
  created_by text not null,
  item_count integer not null,
  reason text,
  request_id text,
  started_at timestamp(3) with time zone,
  finished_at timestamp(3) with time zone,
  stopped_by text,
  claim_id uuid,
  lease_until timestamp(3) with time zone,
  constraint bulk_jobs_pkey PRIMARY KEY (id),
  constraint bulk_jobs_action CHECK ((action = ANY (ARRAY['hold'::text, 'release'::text, 'cancel'::text]))),
  constraint bulk_jobs_started_whole CHECK (((started_at IS NULL) OR ((reason IS NOT NULL) AND (lease_until IS NOT NULL)))),
  constraint bulk_jobs_stopped CHECK (((stopped_by IS NULL) OR (finished_at IS NOT NULL)))
);
CREATE INDEX bulk_jobs_by_time ON public.bulk_jobs USING btree (started_at, id);
CREATE INDEX bulk_jobs_open ON public.bulk_jobs USING btree (lease_until) WHERE ((started_at IS NOT NULL) AND (finished_at IS NULL));
CREATE UNIQUE INDEX bulk_jobs_pkey ON public.bulk_jobs USING btree (id);

create table contract_changes (
  contract_address bytea not null,
  id uuid not null,
  kind text not null,
  point_type point_type,
  threshold numeric(68,12),
  on_unusual boolean,
  points numeric(68,12),
  issuance issuance,
  operator_address bytea,
  operator_before bytea,
  reason text not null,
  proposed_at timestamp(3) with time zone default now() not null,
  proposed_by text not null,
  decision text,
  decided_at timestamp(3) with time zone,
  decided_by text,
  decision_reason text,
  constraint contract_changes_contract_address_id_pk PRIMARY KEY (contract_address, id),
  constraint contract_changes_decided UNIQUE (contract_address, id, decision),
  constraint contract_changes_address_length CHECK ((octet_length(contract_address) = 20)),
  constraint contract_changes_amounts CHECK (((threshold > (0)::numeric) AND (points > (0)::numeric))),
  constraint contract_changes_decision CHECK ((decision = ANY (ARRAY['APPROVED'::text, 'REJECTED'::text, 'WITHDRAWN'::text]))),
  constraint contract_changes_kind CHECK (
CASE kind
    WHEN 'RULE'::text THEN ((point_type IS NOT NULL) AND (on_unusual IS NOT NULL) AND (num_nonnulls(points, issuance, operator_address, operator_before) = 0))
    WHEN 'GRANT'::text THEN ((point_type IS NOT NULL) AND (points IS NOT NULL) AND (num_nonnulls(threshold, on_unusual, issuance, operator_address, operator_before) = 0))
    WHEN 'ISSUANCE'::text THEN ((issuance IS NOT NULL) AND (num_nonnulls(point_type, threshold, on_unusual, points, operator_address, operator_before) = 0))
    WHEN 'OPERATOR'::text THEN (num_nonnulls(point_type, threshold, on_unusual, points, issuance) = 0)
    ELSE false
END),
  constraint contract_changes_operator_length CHECK (((octet_length(operator_address) = 20) AND (octet_length(operator_before) = 20))),
  constraint contract_changes_second_person CHECK (((decision = 'WITHDRAWN'::text) = (decided_by = proposed_by))),
  constraint contract_changes_whole CHECK ((((decision IS NULL) = (decided_at IS NULL)) AND ((decision IS NULL) = (decided_by IS NULL))))
);
CREATE INDEX contract_changes_by_contract ON public.contract_changes USING btree (contract_address, proposed_at);
CREATE UNIQUE INDEX contract_changes_contract_address_id_pk ON public.contract_changes USING btree (contract_address, id);
CREATE UNIQUE INDEX contract_changes_decided ON public.contract_changes USING btree (contract_address, id, decision);
CREATE UNIQUE INDEX contract_changes_open ON public.contract_changes USING btree (contract_address, kind) WHERE ((decision IS NULL) AND (point_type IS NULL));
CREATE UNIQUE INDEX contract_changes_open_of_type ON public.contract_changes USING btree (contract_address, kind, point_type) WHERE (decision IS NULL);

create table contracts (
  address bytea not null,
  label text not null,
  operator_address bytea,
  issuance issuance default 'ON_DEMAND'::issuance not null,
  created_at timestamp(3) with time zone default now() not null,
  approval_required boolean default false not null,
  applied_change_id uuid,
  applied_decision text,
  constraint contracts_pkey PRIMARY KEY (address),
  constraint contracts_applied_change FOREIGN KEY (address, applied_change_id, applied_decision) REFERENCES contract_changes(contract_address, id, decision),
  constraint contracts_address_length CHECK ((octet_length(address) = 20)),
  constraint contracts_applied_change_whole CHECK ((((applied_change_id IS NULL) = (applied_decision IS NULL)) AND (applied_decision = 'APPROVED'::text))),
  constraint contracts_operator_length CHECK ((octet_length(operator_address) = 20))
);
CREATE UNIQUE INDEX contracts_pkey ON public.contracts USING btree (address);
CREATE TRIGGER contracts_second_admin BEFORE UPDATE ON public.contracts FOR EACH ROW WHEN ((old.approval_required AND (((old.issuance IS DISTINCT FROM new.issuance) OR (old.operator_address IS DISTINCT FROM new.operator_address)) OR (old.approval_required IS DISTINCT FROM new.approval_required)) AND ((new.applied_change_id IS NULL) OR (new.applied_change_id = old.applied_change_id)))) EXECUTE FUNCTION refuse_contract_change();

create table finalizer_heartbeat (
  singleton boolean default true not null,
  last_tick_at timestamp(3) with time zone not null,
  batches_finalized bigint default 0 not null,
  transfers_settled bigint default 0 not null,
  constraint finalizer_heartbeat_pkey PRIMARY KEY (singleton),
  constraint finalizer_heartbeat_one_row CHECK (singleton)
);
CREATE UNIQUE INDEX finalizer_heartbeat_pkey ON public.finalizer_heartbeat USING btree (singleton);

create table finalizer_runs (
  id uuid default gen_random_uuid() not null,
  started_by text not null,
  started_at timestamp(3) with time zone not null,
  finished_at timestamp(3) with time zone default now() not null,
  batches_finalized integer not null,
  transfers_settled integer not null,
  lag_seconds_max integer not null,
  failure text,
  constraint finalizer_runs_pkey PRIMARY KEY (id)
);
CREATE INDEX finalizer_runs_by_time ON public.finalizer_runs USING btree (finished_at);
CREATE UNIQUE INDEX finalizer_runs_pkey ON public.finalizer_runs USING btree (id);

create table issuances (
  id bigint generated always as identity not null,
  contract_address bytea not null,
  point_type point_type not null,
  points numeric(68,12) not null,
  batch_seq bigint,
  granted_by text,
  approved_by text,
  created_at timestamp(3) with time zone default now() not null,
  constraint issuances_contract_address_created_at_id_pk PRIMARY KEY (contract_address, created_at, id),
  constraint issuances_origin CHECK (((batch_seq IS NULL) <> (granted_by IS NULL))),
  constraint issuances_points CHECK ((points > (0)::numeric)),
  constraint issuances_second_person CHECK (((approved_by IS NULL) OR ((granted_by IS NOT NULL) AND (approved_by <> granted_by))))
);
CREATE INDEX issuances_by_id ON public.issuances USING btree (id);
CREATE UNIQUE INDEX issuances_contract_address_created_at_id_pk ON public.issuances USING btree (contract_address, created_at, id);

create table ledger_checkpoint (
  singleton boolean default true not null,
  horizon timestamp(3) with time zone not null,
  issuance_id bigint not null,
  slices integer not null,
  slices_done integer default 0 not null,
  batch_seq_max bigint not null,
  round_started_at timestamp(3) with time zone not null,
  round_finished_at timestamp(3) with time zone not null,
  constraint ledger_checkpoint_pkey PRIMARY KEY (singleton),
  constraint ledger_checkpoint_one_row CHECK (singleton)
);
CREATE UNIQUE INDEX ledger_checkpoint_pkey ON public.ledger_checkpoint USING btree (singleton);

create table ledger_checkpoint_accounts (
  address bytea not null,
  point_type point_type not null,
  earned numeric(68,12) not null,
  received numeric(68,12) not null,
  sent numeric(68,12) not null,
  constraint ledger_checkpoint_accounts_address_point_type_pk PRIMARY KEY (address, point_type)
);
CREATE UNIQUE INDEX ledger_checkpoint_accounts_address_point_type_pk ON public.ledger_checkpoint_accounts USING btree (address, point_type);

create table ledger_checks (
  id bigint generated always as identity not null,
  started_by text not null,
  reach text default 'whole'::text not null,
  started_at timestamp(3) with time zone not null,
  finished_at timestamp(3) with time zone default now() not null,
  is_ok boolean not null,
  batches bigint not null,
  transfers bigint not null,
  accounts bigint not null,
  totals jsonb,
  findings jsonb default '[]'::jsonb not null,
  constraint ledger_checks_pkey PRIMARY KEY (id),
  constraint ledger_checks_reach CHECK ((reach = ANY (ARRAY['whole'::text, 'incremental'::text])))
);
CREATE INDEX ledger_checks_by_time ON public.ledger_checks USING btree (finished_at);
CREATE UNIQUE INDEX ledger_checks_pkey ON public.ledger_checks USING btree (id);

create table ledger_days (
  day date not null,
  previous_hash bytea not null,
  totals jsonb not null,
  hash bytea not null,
  constraint ledger_days_pkey PRIMARY KEY (day),
  constraint ledger_days_hashes CHECK (((octet_length(previous_hash) = 32) AND (octet_length(hash) = 32)))
);
CREATE UNIQUE INDEX ledger_days_pkey ON public.ledger_days USING btree (day);

create table operator_tokens (
  contract_address bytea not null,
  token_hash bytea not null,
  operator_address bytea not null,
  created_at timestamp(3) with time zone default now() not null,
  expires_at timestamp(3) with time zone not null,
  constraint operator_tokens_token_hash_contract_address_pk PRIMARY KEY (token_hash, contract_address),
  constraint operator_tokens_hash_length CHECK ((octet_length(token_hash) = 32)),
  constraint operator_tokens_operator_length CHECK ((octet_length(operator_address) = 20))
);
CREATE INDEX operator_tokens_by_contract ON public.operator_tokens USING btree (contract_address);
CREATE INDEX operator_tokens_by_expiry ON public.operator_tokens USING btree (expires_at);
CREATE UNIQUE INDEX operator_tokens_token_hash_contract_address_pk ON public.operator_tokens USING btree (token_hash, contract_address);

create unlogged table rate_limits (
  key text not null,
  points integer not null,
  expire bigint,
  constraint rate_limits_pkey PRIMARY KEY (key)
);
CREATE INDEX rate_limits_by_expiry ON public.rate_limits USING btree (expire);
CREATE UNIQUE INDEX rate_limits_pkey ON public.rate_limits USING btree (key);

create table recipient_labels (
  address bytea not null,
  label text not null,
  constraint recipient_labels_pkey PRIMARY KEY (address),
  constraint recipient_labels_address_length CHECK ((octet_length(address) = 20)),
  constraint recipient_labels_label_length CHECK (((char_length(label) >= 1) AND (char_length(label) <= 80)))
);
CREATE UNIQUE INDEX recipient_labels_pkey ON public.recipient_labels USING btree (address);

create table recipient_progress (
  singleton boolean default true not null,
  created_at timestamp(3) with time zone not null,
  batch_seq bigint not null,
  constraint recipient_progress_pkey PRIMARY KEY (singleton),
  constraint recipient_progress_one_row CHECK (singleton)
);
CREATE UNIQUE INDEX recipient_progress_pkey ON public.recipient_progress USING btree (singleton);

create table recipient_transfers (
  to_address bytea not null,
  created_at timestamp(3) with time zone not null,
  batch_seq bigint not null,
  contract_address bytea not null,
  points numeric(38,12) not null,
  constraint recipient_transfers_to_address_created_at_batch_seq_contract_ad PRIMARY KEY (to_address, created_at, batch_seq, contract_address)
);
CREATE INDEX recipient_transfers_by_batch ON public.recipient_transfers USING brin (batch_seq);
CREATE UNIQUE INDEX recipient_transfers_to_address_created_at_batch_seq_contract_ad ON public.recipient_transfers USING btree (to_address, created_at, batch_seq, contract_address);

create table reversed_transfers (
  contract_address bytea not null,
  batch_seq bigint not null,
  to_address bytea not null,
  reversal_seq bigint not null,
  points numeric(38,12) not null,
  constraint reversed_transfers_once PRIMARY KEY (contract_address, batch_seq, to_address),
  constraint reversed_transfers_address_length CHECK ((octet_length(to_address) = 20)),
  constraint reversed_transfers_later CHECK ((reversal_seq > batch_seq)),
  constraint reversed_transfers_points CHECK ((points > (0)::numeric))
);
CREATE INDEX reversed_transfers_by_recipient ON public.reversed_transfers USING btree (to_address, reversal_seq);
CREATE UNIQUE INDEX reversed_transfers_once ON public.reversed_transfers USING btree (contract_address, batch_seq, to_address);

create table review_progress (
  singleton boolean default true not null,
  created_at timestamp(3) with time zone not null,
  batch_seq bigint not null,
  constraint review_progress_pkey PRIMARY KEY (singleton),
  constraint review_progress_one_row CHECK (singleton)
);
CREATE UNIQUE INDEX review_progress_pkey ON public.review_progress USING btree (singleton);

create table saved_views (
  id uuid default gen_random_uuid() not null,
  staff_id uuid not null,
  name text not null,
  query text not null,
  created_at timestamp(3) with time zone default now() not null,
  constraint saved_views_pkey PRIMARY KEY (id),
  constraint saved_views_staff_id_staff_id_fk FOREIGN KEY (staff_id) REFERENCES staff(id),
  constraint saved_views_name_length CHECK (((length(name) >= 1) AND (length(name) <= 60))),
  constraint saved_views_query_length CHECK ((length(query) <= 2000))
);
CREATE UNIQUE INDEX saved_views_name ON public.saved_views USING btree (staff_id, lower(name));
CREATE UNIQUE INDEX saved_views_pkey ON public.saved_views USING btree (id);

create table spent_challenges (
  nonce text not null,
  expires_at timestamp(3) with time zone not null,
  constraint spent_challenges_pkey PRIMARY KEY (nonce)
);
CREATE INDEX spent_challenges_by_expiry ON public.spent_challenges USING btree (expires_at);
CREATE UNIQUE INDEX spent_challenges_pkey ON public.spent_challenges USING btree (nonce);

create table staff (
  id uuid default gen_random_uuid() not null,
  email text not null,
  role staff_role not null,
  password_hash text,
  session_epoch integer default 0 not null,
  created_at timestamp(3) with time zone default now() not null,
  disabled_at timestamp(3) with time zone,
  last_sign_in_at timestamp(3) with time zone,
  constraint staff_pkey PRIMARY KEY (id),
  constraint staff_email_lower CHECK ((email = lower(email)))
);
CREATE UNIQUE INDEX staff_email ON public.staff USING btree (email);
CREATE UNIQUE INDEX staff_pkey ON public.staff USING btree (id);

create table staff_invitations (
  token_hash bytea not null,
  staff_id uuid not null,
  origin text default 'admin'::text not null,
  created_at timestamp(3) with time zone default now() not null,
  expires_at timestamp(3) with time zone not null,
  constraint staff_invitations_pkey PRIMARY KEY (token_hash),
  constraint staff_invitations_staff_id_staff_id_fk FOREIGN KEY (staff_id) REFERENCES staff(id),
  constraint staff_invitations_hash_length CHECK ((octet_length(token_hash) = 32)),
  constraint staff_invitations_origin CHECK ((origin = ANY (ARRAY['admin'::text, 'sign-in'::text])))
);
CREATE INDEX staff_invitations_by_staff ON public.staff_invitations USING btree (staff_id);
CREATE UNIQUE INDEX staff_invitations_pkey ON public.staff_invitations USING btree (token_hash);

create table staff_sessions (
  id uuid not null,
  staff_id uuid not null,
  epoch integer not null,
  device text not null,
  created_at timestamp(3) with time zone default now() not null,
  last_used_at timestamp(3) with time zone default now() not null,
  constraint staff_sessions_pkey PRIMARY KEY (id),
  constraint staff_sessions_staff_id_staff_id_fk FOREIGN KEY (staff_id) REFERENCES staff(id),
  constraint staff_sessions_device_length CHECK ((length(device) <= 100))
);
CREATE INDEX staff_sessions_by_staff ON public.staff_sessions USING btree (staff_id);
CREATE UNIQUE INDEX staff_sessions_pkey ON public.staff_sessions USING btree (id);

create table webhook_deliveries (
  contract_address bytea not null,
  id uuid default gen_random_uuid() not null,
  endpoint_id uuid not null,
  event text not null,
  batch_seq bigint,
  event_at timestamp(3) with time zone not null,
  attempts integer default 0 not null,
  next_attempt_at timestamp(3) with time zone default now(),
  claim_id uuid,
  delivered_at timestamp(3) with time zone,
  last_attempt_at timestamp(3) with time zone,
  last_status_code integer,
  last_duration_ms integer,
  last_failure text,
  constraint webhook_deliveries_contract_address_id_pk PRIMARY KEY (contract_address, id),
  constraint webhook_deliveries_address_length CHECK ((octet_length(contract_address) = 20)),
  constraint webhook_deliveries_batch CHECK (((batch_seq IS NULL) = (event = 'webhook.test'::text))),
  constraint webhook_deliveries_claimed CHECK (((claim_id IS NULL) OR (next_attempt_at IS NOT NULL))),
  constraint webhook_deliveries_delivered CHECK (((delivered_at IS NULL) OR (next_attempt_at IS NULL)))
);
CREATE INDEX webhook_deliveries_by_age ON public.webhook_deliveries USING btree (event_at);
CREATE UNIQUE INDEX webhook_deliveries_contract_address_id_pk ON public.webhook_deliveries USING btree (contract_address, id);
CREATE INDEX webhook_deliveries_due ON public.webhook_deliveries USING btree (contract_address, endpoint_id, next_attempt_at) WHERE (next_attempt_at IS NOT NULL);
CREATE INDEX webhook_deliveries_due_by_time ON public.webhook_deliveries USING btree (next_attempt_at) WHERE (next_attempt_at > '-infinity'::timestamp with time zone);
CREATE INDEX webhook_deliveries_log ON public.webhook_deliveries USING btree (contract_address, endpoint_id, event_at, id);

create table webhook_endpoints (
  contract_address bytea not null,
  id uuid default gen_random_uuid() not null,
  url text not null,
  events text[] not null,
  secret_sealed bytea not null,
  previous_secret_sealed bytea,
  previous_secret_until timestamp(3) with time zone,
  created_by text not null,
  created_at timestamp(3) with time zone default now() not null,
  disabled_at timestamp(3) with time zone,
  disabled_reason text,
  failing_since timestamp(3) with time zone,
  failures integer default 0 not null,
  first_delivered_at timestamp(3) with time zone,
  paused_until timestamp(3) with time zone,
  constraint webhook_endpoints_contract_address_id_pk PRIMARY KEY (contract_address, id),
  constraint webhook_endpoints_contract_address_contracts_address_fk FOREIGN KEY (contract_address) REFERENCES contracts(address),
  constraint webhook_endpoints_address_length CHECK ((octet_length(contract_address) = 20)),
  constraint webhook_endpoints_disabled_whole CHECK ((((disabled_at IS NULL) = (disabled_reason IS NULL)) AND COALESCE((disabled_reason = ANY (ARRAY['staff'::text, 'failures'::text, 'gone'::text])), true))),
  constraint webhook_endpoints_events CHECK (((cardinality(events) > 0) AND (events <@ ARRAY['batch.created'::text, 'batch.cancelled'::text, 'batch.held'::text, 'batch.released'::text, 'batch.finalizing'::text, 'batch.finalized'::text]))),
  constraint webhook_endpoints_previous_whole CHECK (((previous_secret_sealed IS NULL) = (previous_secret_until IS NULL))),
  constraint webhook_endpoints_url CHECK (((char_length(url) >= 8) AND (char_length(url) <= 2048)))
);
CREATE UNIQUE INDEX webhook_endpoints_contract_address_id_pk ON public.webhook_endpoints USING btree (contract_address, id);
CREATE INDEX webhook_endpoints_given_up ON public.webhook_endpoints USING btree (disabled_at) WHERE (disabled_reason = ANY (ARRAY['failures'::text, 'gone'::text]));

CREATE OR REPLACE FUNCTION public.refuse_batch_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'illegal change of batch %: % to %', old.id, old.status, new.status
    using errcode = 'integrity_constraint_violation', constraint = 'batches_legal_change';
end $function$;

CREATE OR REPLACE FUNCTION public.refuse_contract_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'change of a contract without a second admin violates "contracts_second_admin"'
    using errcode = 'check_violation', constraint = 'contracts_second_admin';
end $function$;

CREATE OR REPLACE FUNCTION public.refuse_transfer_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'transfers are never changed'
    using errcode = 'integrity_constraint_violation', constraint = 'batch_transfers_immutable';
end $function$;
