/**
 * The distributed tables and their distribution columns, all addresses in one colocation group. A contract's batches,
 * transfers, issuances and account are on one shard, and so are a recipient's account and index rows.
 */
export const DISTRIBUTED_TABLES = {
  batches: "contract_address",
  batch_transfers: "contract_address",
  batch_reviews: "contract_address",
  issuances: "contract_address",
  contract_changes: "contract_address",
  contracts: "address",
  accounts: "address",
  recipient_transfers: "to_address",
  ledger_checkpoint_accounts: "address",
  webhook_endpoints: "contract_address",
  webhook_deliveries: "contract_address",
  batch_uploads: "contract_address",
  batch_corrections: "contract_address",
  reversed_transfers: "contract_address",
  batch_roots: "contract_address",
  approval_rules: "contract_address",
} as const satisfies Record<string, string>;

/** The tables that stay on the coordinator, and why. */
export const LOCAL_TABLES = {
  access_tokens: "looked up by token hash, before the contract is known; about one row per contract",
  operator_tokens: "looked up by token hash; rows live for an hour",
  spent_challenges: "rows live for a minute",
  rate_limits: "unlogged, one row per caller",
  staff: "people",
  staff_invitations: "people",
  staff_sessions: "people",
  saved_views: "at most 50 rows per person",
  audit_log: "one row per manual action",
  bulk_jobs: "one row per preview or job",
  bulk_job_items: "one row per batch of a job, for 90 days",
  finalizer_runs: "a month of runs",
  finalizer_heartbeat: "one row",
  recipient_progress: "one row",
  recipient_labels: "labels that staff give addresses by hand",
  batch_notes: "notes that staff write by hand",
  review_progress: "one row",
  ledger_checkpoint: "one row",
  ledger_checks: "one row per check",
  ledger_days: "one row per day",
  alerts: "three months of alerts",
  alert_views: "one row per alert and person who has seen it",
  alert_jobs: "a few rows",
} as const satisfies Record<string, string>;

/**
 * The local tables that are written in the same transaction as a shard. Citus must manage them. Otherwise the worker commits
 * before the coordinator, and a crash in between loses the row.
 */
export const MANAGED_TABLES = {
  audit_log: "written with changes to batches, contracts and webhooks",
  bulk_jobs: "read by changes to the batches of a job",
  bulk_job_items: "an item's result is written with the change to its batch",
  operator_tokens: "deleted when a contract's operator changes",
  staff: "changes of access are written with their audit rows",
  staff_invitations: "changes of access are written with their audit rows",
  staff_sessions: "signing out everywhere is written with its audit row",
  saved_views: "changes are written with their audit rows",
  recipient_progress: "updated with the recipient index",
  recipient_labels: "changes of a label are written with their audit rows",
  batch_notes: "notes are written and deleted with their audit rows",
  review_progress: "updated with the reviews it covers",
  ledger_checkpoint: "updated with the balances in ledger_checkpoint_accounts",
  ledger_checks: "a check's result is written with the checkpoint that it moves",
  alerts: "referred to by who has seen them",
  alert_views: "refers to alerts, and a foreign key joins managed tables only",
} as const satisfies Partial<Record<keyof typeof LOCAL_TABLES, string>>;
