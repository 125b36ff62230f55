import type { LedgerReport } from "../ledger/check-ledger";

/** A ledger check's result, with every difference on a line of its own. */
export function ledgerVerdict({ ok, reach, batches, transfers, accounts, findings }: LedgerReport): string {
  const prefix = reach === "incremental" ? "checked " : "";
  const size = `${prefix}${batches} batches, ${transfers} transfers, ${accounts} accounts`;
  if (ok) return `The ledger balances: ${size}.`;
  const lines = findings.map(({ rule, detail }) => `  ${rule}: ${detail}`);
  return [`The ledger does not balance (${size}):`, ...lines].join("\n");
}
