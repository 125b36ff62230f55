import type { TransactionSql } from "postgres";
import type { Database } from "@/db/client";
import { LEDGER_RULES } from "./ledger-rules";

export interface LedgerFinding {
  rule: string;
  detail: string;
}

export interface LedgerReport {
  ok: boolean;
  /** Everything; or what is new and a slice of what is old: then the figures below say how much that was. */
  reach: "whole" | "incremental";
  /** RFC 3339, by the database's clock: the snapshot that was read. */
  checkedAt: string;
  accounts: number;
  batches: number;
  transfers: number;
  /** At most `FINDINGS_MAX`; empty when the ledger balances. */
  findings: LedgerFinding[];
}

export const FINDINGS_MAX = 100;

/**
 * Recomputes every balance and every batch from the transfers and compares them with what is stored, in one snapshot:
 * it may run while the service works. Reads everything: on a large ledger give it a pool with `statementSecondsMax`.
 */
export async function checkLedger(db: Database): Promise<LedgerReport> {
  return await db.sql.begin("isolation level repeatable read read only", readLedger);
}

/** Checks the ledger as a repeatable-read transaction sees it. */
export async function readLedger(tx: TransactionSql): Promise<LedgerReport> {
  const [size] = await tx<Pick<LedgerReport, "checkedAt" | "accounts" | "batches" | "transfers">[]>`
    select to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "checkedAt",
      (select count(*)::float8 from accounts) as accounts, (select count(*)::float8 from batches) as batches,
      (select count(*)::float8 from transfers) as transfers`;
  const findings: LedgerFinding[] = [];
  for (const [rule, query] of Object.entries(LEDGER_RULES)) {
    const left = FINDINGS_MAX - findings.length;
    // The rules are constant text of ours: nothing of a caller is in them.
    const rows = await tx<{ detail: string }[]>`
      select detail from (${tx.unsafe(query)}) as found limit ${left}`;
    findings.push(...rows.map(({ detail }) => ({ rule, detail })));
  }
  return { ok: findings.length === 0, reach: "whole", ...size!, findings };
}
