import type { ServiceContext } from "../kernel/context";
import { settings } from "../kernel/settings";
import type { LedgerFinding, LedgerReport } from "../ledger/check-ledger";
import { CHECK_COMPLETED, CHECK_LOCK } from "../ledger/run-check";

export interface LastCheck {
  startedBy: string;
  /** For an incremental check, batches and transfers count only those that it read. */
  reach: LedgerReport["reach"];
  startedAt: string;
  finishedAt: string;
  seconds: number;
  isOk: boolean;
  /** Whether the check completed. If not, its only finding says why. */
  isWhole: boolean;
  batches: number;
  transfers: number;
  accounts: number;
  findings: LedgerFinding[];
}

export interface SelfCheckState {
  last: LastCheck | null;
  /** Time of the last check without findings, if that is not `last`. */
  lastGoodAt: string | null;
  isRunning: boolean;
  /** Progress of the round over old data. Null before the first full check without findings. */
  round: { slices: number; slicesDone: number; finishedAt: string } | null;
  /** 0 means only on request. */
  everyHours: number;
}

/** The result of the last ledger self-check, and whether one is running now. */
export async function readSelfCheck({ db: { sql } }: ServiceContext): Promise<SelfCheckState> {
  const rfc3339 = (column: "started_at" | "finished_at" | "round_finished_at") =>
    sql`to_char(${sql(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
  const [[last], [round], [other]] = await Promise.all([
    sql<Omit<LastCheck, "isWhole">[]>`
      select started_by as "startedBy", reach, ${rfc3339("started_at")} as "startedAt", ${rfc3339("finished_at")} as "finishedAt",
        round(extract(epoch from finished_at - started_at), 1)::float8 as seconds, is_ok as "isOk",
        batches::float8 as batches, transfers::float8 as transfers, accounts::float8 as accounts, findings
      from ledger_checks order by finished_at desc limit 1`,
    sql<NonNullable<SelfCheckState["round"]>[]>`
      select slices, slices_done as "slicesDone", ${rfc3339("round_finished_at")} as "finishedAt" from ledger_checkpoint`,
    sql<{ lastGoodAt: string | null; isRunning: boolean }[]>`
      select (select ${rfc3339("finished_at")} from ledger_checks where is_ok order by finished_at desc limit 1) as "lastGoodAt",
        exists (select 1 from pg_locks
          where locktype = 'advisory' and classid = ${CHECK_LOCK.space}::int::oid and objid = ${CHECK_LOCK.key}::int::oid
            and objsubid = 2 and granted
            and database = (select oid from pg_database where datname = current_database())) as "isRunning"`,
  ]);
  return {
    last: last ? { ...last, isWhole: last.findings.every(({ rule }) => rule !== CHECK_COMPLETED) } : null,
    lastGoodAt: other!.lastGoodAt,
    isRunning: other!.isRunning,
    round: round ?? null,
    everyHours: settings().SELF_CHECK_EVERY_HOURS,
  };
}
