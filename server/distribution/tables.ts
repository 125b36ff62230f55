/**
 * The distributed tables and their distribution columns, all addresses in one colocation group. A contract's batches,
 * transfers, issuances and account are on one shard, and so are a recipient's account and index rows.
 */
export const DISTRIBUTED_TABLES = {
  batches: "contract_address",
  batch_transfers: "contract_address",
  issuances: "contract_address",
  contracts: "address",
  accounts: "address",
  recipient_transfers: "to_address",
  ledger_checkpoint_accounts: "address",
  webhook_endpoints: "contract_address",
  webhook_deliveries: "contract_address",
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
  audit_log: "one row per manual action",
  finalizer_runs: "a month of runs",
  finalizer_heartbeat: "one row",
  recipient_progress: "one row",
  ledger_checkpoint: "one row",
  ledger_checks: "one row per check",
} as const satisfies Record<string, string>;

/**
 * The local tables that are written in the same transaction as a shard. Citus must manage them. Otherwise the worker commits
 * before the coordinator, and a crash in between loses the row.
 */
export const MANAGED_TABLES = {
  audit_log: "written with changes to batches, contracts and webhooks",
  operator_tokens: "deleted when a contract's operator changes",
  staff: "changes of access are written with their audit rows",
  staff_invitations: "changes of access are written with their audit rows",
  staff_sessions: "signing out everywhere is written with its audit row",
  recipient_progress: "updated with the recipient index",
  ledger_checkpoint: "updated with the balances in ledger_checkpoint_accounts",
  ledger_checks: "a check's result is written with the checkpoint that it moves",
} as const satisfies Partial<Record<keyof typeof LOCAL_TABLES, string>>;
