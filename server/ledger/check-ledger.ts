import type { TransactionSql } from "postgres";
import type { Database } from "@/db/client";
import { inOneSnapshot } from "@/server/kernel/shards";
import { POINT_TYPES, type PointType } from "@/server/kernel/values/batch-terms";
import { shortestPoints } from "../kernel/values/points";
import { type Scope, wholeScope } from "./checkpoint";
import { LEDGER_RULES, type Rule } from "./ledger-rules";

export interface LedgerFinding {
  rule: string;
  detail: string;
}

/** Sums of all accounts in one point type. Amounts in shortest exact form. */
export interface TypeTotals {
  pointType: PointType;
  issued: string;
  available: string;
  pending: string;
  sent: string;
  credited: string;
}

export interface LedgerReport {
  ok: boolean;
  /** `incremental` covers new data and a slice of old data. The counts below then cover only those. */
  reach: "whole" | "incremental";
  /** Time of the snapshot, RFC 3339, by the database's clock. */
  checkedAt: string;
  accounts: number;
  totals: TypeTotals[];
  batches: number;
  transfers: number;
  /** At most `FINDINGS_MAX`. Empty when the ledger balances. */
  findings: LedgerFinding[];
}

export const FINDINGS_MAX = 100;

/**
 * Recomputes every balance and batch from the transfers and compares them with the stored values. Uses one snapshot, so the
 * service can keep running. A large ledger needs a pool with `statementSecondsMax`. Citus needs a second connection.
 */
export async function checkLedger(db: Database): Promise<LedgerReport> {
  return await inOneSnapshot(db, "read only", readLedger);
}

/** Checks the ledger within a repeatable-read transaction. */
export async function readLedger(tx: TransactionSql): Promise<LedgerReport> {
  const scope = wholeScope(tx);
  const size = await readSize(tx, [scope.batches]);
  const findings = await findBreaks(tx, [scope]);
  return { ok: findings.length === 0, reach: "whole", ...size, findings };
}

/** Runs every rule in each of its scopes. A finding from two scopes is reported once. */
export async function findBreaks(tx: TransactionSql, scopes: Scope[]): Promise<LedgerFinding[]> {
  // JIT takes half the time of these statements, and their groups exceed the default work_mem.
  // The first setting makes Citus pass the other two to the workers. It has no effect on a single Postgres.
  await tx`set local citus.propagate_set_commands = 'local'`;
  await tx`set local jit = off`;
  await tx`set local work_mem = '32MB'`;
  const found = new Map<string, LedgerFinding>();
  const rules: [string, Rule][] = Object.entries(LEDGER_RULES);
  for (const [rule, { scopes: names, find }] of rules)
    for (const scope of scopes) {
      if (names && !names.includes(scope.name)) continue;
      const rows = await tx<{ detail: string }[]>`
        select detail from (${find(tx, scope)}) as found limit ${FINDINGS_MAX}`;
      for (const { detail } of rows) found.set(`${rule} ${detail}`, { rule, detail });
    }
  return [...found.values()].slice(0, FINDINGS_MAX);
}

/** Counts and sums all accounts, and counts the batches that match the (disjoint) conditions. */
export async function readSize(
  tx: TransactionSql,
  conditions: Scope["batches"][],
): Promise<Pick<LedgerReport, "checkedAt" | "accounts" | "totals" | "batches" | "transfers">> {
  const [snapshot] = await tx<{ checkedAt: string }[]>`
    select to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "checkedAt"`;
  let [batches, transfers] = [0, 0];
  for (const condition of conditions) {
    const [read] = await tx<{ batches: number; transfers: number }[]>`
      select count(*)::float8 as batches, coalesce(sum(b.transfer_count), 0)::float8 as transfers
      from batches b where ${condition}`;
    batches += read!.batches;
    transfers += read!.transfers;
  }
  return { ...snapshot!, ...(await sumAccounts(tx)), batches, transfers };
}

/** Counts and sums all accounts in one read. */
async function sumAccounts(tx: TransactionSql): Promise<Pick<LedgerReport, "accounts" | "totals">> {
  const rows = await tx<(TypeTotals & { accounts: number })[]>`
    select point_type as "pointType", count(*)::float8 as accounts, sum(earned)::text as issued,
      sum(earned + received - sent - pending)::text as available, sum(pending)::text as pending, sum(sent)::text as sent,
      sum(received)::text as credited
    from accounts group by point_type`;
  const totals = POINT_TYPES.map((pointType) => {
    const row = rows.find((each) => each.pointType === pointType);
    return {
      pointType,
      issued: shortestPoints(row?.issued ?? "0"),
      available: shortestPoints(row?.available ?? "0"),
      pending: shortestPoints(row?.pending ?? "0"),
      sent: shortestPoints(row?.sent ?? "0"),
      credited: shortestPoints(row?.credited ?? "0"),
    };
  });
  return { accounts: rows.reduce((sum, { accounts }) => sum + accounts, 0), totals };
}
