import type { TransactionSql } from "postgres";
import { z } from "zod";
import type { Database } from "@/db/client";
import { askFor } from "@/db/session-settings";
import { auditAlone } from "@/server/audit/audit-alone";
import { withPoints } from "@/server/kernel/batch-rows";
import { postgresError } from "@/server/kernel/database-errors";
import { inOneSnapshot, tryLock } from "@/server/kernel/shards";
import { POINT_TYPES } from "@/terms/batch-terms";
import { PointsOut, PointTypeField } from "@/terms/fields";
import {
  type Checkpoint,
  dropCheckpoint,
  makeCheckpoint,
  moveCheckpoint,
  newScope,
  readCheckpoint,
  type Scope,
  sliceScope,
  UNSETTLED_SECONDS,
  wholeScope,
} from "./checkpoint";
import { LEDGER_RULES, type Rule } from "./ledger-rules";

/** Finds what is wrong in a scope: a `detail` each. */
export type Check = (tx: TransactionSql, scope: Scope) => Promise<readonly { detail: string }[]>;
export type Checks = Readonly<Record<string, Check>>;

export type LedgerFinding = { rule: string; detail: string };

const points = (description: string) => PointsOut.meta({ description });

export const TypeTotals = z
  .strictObject({
    pointType: PointTypeField.meta({ description: "Point type of the totals." }),
    issued: points("Points ever issued or granted to contracts."),
    available: points("Points that contracts and recipients hold and can send."),
    pending: points("Points of batches that are neither finalized nor cancelled."),
    sent: points("Points that contracts sent in finalized batches."),
    credited: points("Points that finalized batches credited to recipients."),
  })
  .meta({ id: "BooksTotals", description: "issued = available + pending, and sent = credited." });
type TypeTotals = z.output<typeof TypeTotals>;

export interface LedgerReport {
  ok: boolean;
  /** `incremental` covers new data and a slice of old data. The counts below then cover only those. */
  reach: "whole" | "incremental";
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
 * Recomputes every balance and batch from the transfers and compares them with the stored values. Uses one
 * snapshot, so the service can keep running. A large ledger needs a pool with `statementSecondsMax`. Citus
 * needs a second connection.
 */
export const checkLedger = (db: Database, checks: Checks): Promise<LedgerReport> =>
  inOneSnapshot(db, "read only", (tx) => readLedger(tx, checks));

/**
 * Checks the ledger within a repeatable-read transaction.
 * @param checks of what is made of the ledger, beside its own rules
 */
export async function readLedger(tx: TransactionSql, checks: Checks): Promise<LedgerReport> {
  const scope = wholeScope(tx);
  const size = await readSize(tx, [scope.batches]);
  const findings = await findBreaks(tx, [scope], checks);
  return { ok: findings.length === 0, reach: "whole", ...size, findings };
}

/**
 * For statements over a whole table: JIT takes half their time, and their groups exceed the default work_mem.
 * The first setting makes Citus pass these two to the workers. It has no effect on a single Postgres.
 */
export async function prepareLongReads(tx: TransactionSql): Promise<void> {
  await tx`set local citus.propagate_set_commands = 'local'`;
  await tx`set local jit = off`;
  await tx`set local work_mem = '32MB'`;
}

const ofRule =
  ({ scopes, find }: Rule): Check =>
  async (tx, scope) => {
    if (scopes && !scopes.includes(scope.name)) return [];
    return await tx<{ detail: string }[]>`
      select detail from (${find(tx, scope)}) as found limit ${FINDINGS_MAX}`;
  };

const LEDGER_CHECKS: Checks = Object.fromEntries(
  Object.entries<Rule>(LEDGER_RULES).map(([name, rule]) => [name, ofRule(rule)]),
);

/** Makes every check in each of its scopes. A finding from two scopes is reported once. */
async function findBreaks(tx: TransactionSql, scopes: Scope[], checks: Checks): Promise<LedgerFinding[]> {
  await prepareLongReads(tx);
  // Between statements this process may compute for long: the tree of a million claims.
  await tx`set local idle_in_transaction_session_timeout = 0`;
  const found = new Map<string, LedgerFinding>();
  for (const [rule, check] of Object.entries({ ...LEDGER_CHECKS, ...checks }))
    for (const scope of scopes)
      for (const { detail } of await check(tx, scope)) found.set(`${rule} ${detail}`, { rule, detail });
  return [...found.values()].slice(0, FINDINGS_MAX);
}

/** Counts and sums all accounts, and counts the batches that match the (disjoint) conditions. */
async function readSize(
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

const NO_SUMS = { accounts: 0, issued: "0", available: "0", pending: "0", sent: "0", credited: "0" };

async function sumAccounts(tx: TransactionSql): Promise<Pick<LedgerReport, "accounts" | "totals">> {
  const rows = await tx<(TypeTotals & { accounts: number })[]>`
    select point_type as "pointType", count(*)::float8 as accounts, sum(earned)::text as issued,
      sum(earned + received - sent - pending)::text as available, sum(pending)::text as pending,
      sum(sent)::text as sent, sum(received)::text as credited
    from accounts group by point_type`;
  const totals = POINT_TYPES.map((pointType) => {
    const { accounts: _, ...sums } = rows.find((each) => each.pointType === pointType) ?? {
      pointType,
      ...NO_SUMS,
    };
    return withPoints(sums, "issued", "available", "pending", "sent", "credited");
  });
  return { accounts: rows.reduce((sum, { accounts }) => sum + accounts, 0), totals };
}

/** Keys of the advisory lock that allows one check at a time, over all instances on the database. */
export const CHECK_LOCK = { space: 7_262_542, key: 1 } as const;
export const CHECK_COMPLETED = "check_completed";
/** A check that did not complete is retried after this time, or sooner if checks are more frequent. */
const RETRY_HOURS = 1;

export interface LedgerCheckOptions {
  /** `scheduler`, `cron`, `ops` or `staff:<email>`. */
  startedBy: string;
  secondsMax: number;
  checks: Checks;
  /** Run only if the last stored check is at least this old. */
  dueAfterHours?: number;
  /** Default `whole`. Also `whole` if `incremental` has no checkpoint to continue from. */
  reach?: LedgerReport["reach"];
  /** How many incremental checks make up one round over all old data. */
  slices?: number;
  /** Less than `UNSETTLED_SECONDS` only if nothing else writes. */
  unsettledSeconds?: number;
  requestId?: string;
}

const SLICES_DEFAULT = 7;
const SERIALIZATION_FAILURE = "40001";

/**
 * Checks the ledger and stores the result in one transaction, which reads one snapshot and locks no rows of
 * the service. The lock ends with the transaction, even if the process dies. Needs a pool of two connections.
 * @returns null when another check is running or just ran, or none is due
 */
export async function runCheck(db: Database, options: LedgerCheckOptions): Promise<LedgerReport | null> {
  return await inOneSnapshot(db, "read write", async (tx) => {
    await askFor(tx, { statement_timeout: options.secondsMax * 1000, transaction_timeout: 0 });
    if (!(await tryLock(tx, CHECK_LOCK))) return null;
    // Queried outside the transaction, whose snapshot may be older than the end of another instance's check.
    if (options.dueAfterHours && !(await isCheckDue(db, options.dueAfterHours))) return null;
    const report = await readReport(tx, options);
    await store(tx, report, options);
    return report;
  }).catch((error: unknown) => {
    // Another check moved the checkpoint between this one's snapshot and its lock.
    if (postgresError(error)?.code === SERIALIZATION_FAILURE) return null;
    throw error;
  });
}

async function readReport(tx: TransactionSql, options: LedgerCheckOptions): Promise<LedgerReport> {
  const { reach = "whole", slices = SLICES_DEFAULT, unsettledSeconds = UNSETTLED_SECONDS } = options;
  const checkpoint = reach === "whole" ? null : await readCheckpoint(tx, unsettledSeconds);
  if (checkpoint) return await checkIncrement(tx, checkpoint, slices, options.checks);
  const report = await readLedger(tx, options.checks);
  // After a finding, every check is a full one until one passes: a later slice could seem to have fixed it.
  await (report.ok ? makeCheckpoint(tx, slices, unsettledSeconds) : dropCheckpoint(tx));
  return report;
}

/**
 * Checks all accounts against the checkpoint plus what was settled since, all new batches, and the next slice
 * of old ones. Without findings the checkpoint moves on. Otherwise the next check reads the same data again.
 */
async function checkIncrement(
  tx: TransactionSql,
  checkpoint: Checkpoint,
  slices: number,
  checks: Checks,
): Promise<LedgerReport> {
  const [added, slice] = [newScope(tx, checkpoint), sliceScope(tx, checkpoint)];
  const findings = await findBreaks(tx, [added, slice], checks);
  const size = await readSize(tx, [
    added.batches,
    tx`${slice.batches} and not coalesce(${added.batches}, false)`,
  ]);
  const ok = findings.length === 0;
  if (ok) await moveCheckpoint(tx, checkpoint, slices);
  return { ok, reach: "incremental", ...size, findings };
}

export async function isCheckDue({ sql }: Database, hours: number): Promise<boolean> {
  const incomplete = JSON.stringify([{ rule: CHECK_COMPLETED }]);
  const [row] = await sql<{ isDue: boolean }[]>`
    select not exists (
      select 1 from ledger_checks
      where finished_at > clock_timestamp() - ${hours}::int * interval '1 hour'
        and (not findings @> ${incomplete}::text::jsonb
          or finished_at > clock_timestamp() - ${Math.min(hours, RETRY_HOURS)}::int * interval '1 hour')
    ) as "isDue"`;
  return row!.isDue;
}

async function store(tx: TransactionSql, report: LedgerReport, options: LedgerCheckOptions): Promise<void> {
  await tx`
    insert into ledger_checks (started_by, reach, started_at, finished_at, is_ok, batches, transfers,
      accounts, totals, findings)
    values (${options.startedBy}, ${report.reach}, now(), clock_timestamp(), ${report.ok},
      ${report.batches}, ${report.transfers}, ${report.accounts},
      ${JSON.stringify(report.totals)}::text::jsonb, ${JSON.stringify(report.findings)}::text::jsonb)`;
  const { startedBy: actor, requestId } = options;
  if (!requestId) return;
  const detail = { ok: report.ok, findings: report.findings.length };
  await auditAlone(tx, { actor, requestId }, { action: "ledger.check", target: "ledger", detail });
}

/** Stores that a check did not complete and why, so that an older result does not look like the latest. */
export async function storeIncompleteCheck(
  { sql }: Database,
  startedBy: string,
  startedAt: Date,
  why: string,
): Promise<void> {
  await sql`
    insert into ledger_checks (started_by, started_at, finished_at, is_ok, batches, transfers, accounts,
      findings)
    values (${startedBy}, ${startedAt.toISOString()}::timestamptz, clock_timestamp(), false, 0, 0, 0,
      ${JSON.stringify([{ rule: CHECK_COMPLETED, detail: why }])}::text::jsonb)`;
}
