/**
 * The tables that are cut into shards, and by which column. All are addresses of one type in one group: a contract's
 * batches, transfers, issuances and its own account lie on one shard, and so do a recipient's account and its index rows.
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

/** The tables that stay whole on the coordinator, and why. */
export const WHOLE_TABLES = {
  access_tokens: "found by the hash of a token, before the contract is known; as many as contracts",
  operator_tokens: "found by the hash of a token; an hour long",
  spent_challenges: "a minute long",
  rate_limits: "unlogged, one row a caller",
  staff: "people",
  staff_invitations: "people",
  audit_log: "what people did",
  finalizer_runs: "a month of runs",
  finalizer_heartbeat: "one row",
  recipient_progress: "one row",
  ledger_checkpoint: "one row",
  ledger_checks: "one row a check",
} as const satisfies Record<string, string>;

/**
 * The whole tables that one transaction writes together with a shard. Citus manages them: otherwise it lets the worker
 * commit before the coordinator does, and a crash between the two loses the row.
 */
export const MANAGED_TABLES = {
  audit_log: "what people did to batches, contracts and webhooks",
  operator_tokens: "naming another operator of a contract ends them",
  staff: "changes of access are written with their audit rows",
  staff_invitations: "changes of access are written with their audit rows",
  recipient_progress: "moves with the index by recipient",
  ledger_checkpoint: "moves with the balances in ledger_checkpoint_accounts",
  ledger_checks: "a check's result is written with the checkpoint it moves",
} as const satisfies Partial<Record<keyof typeof WHOLE_TABLES, string>>;
