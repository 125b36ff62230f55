import type { Shape } from "../cluster/start-cluster";
import type { FaultRow } from "./fault-row";
import type { Tally } from "./tally";

export interface RowResult {
  row: FaultRow;
  short: boolean;
  shape: Shape | null;
  seed: number;
  outcome: "kept" | "failed" | "skipped";
  /** Why it failed or did not run, if not because of a violation. */
  reason: string | null;
  tally: Tally;
  seconds: number;
}

export const COLUMNS = [
  "row",
  "fault",
  "injected",
  "requests answered",
  "invariants read",
  "violations",
  "worst recovery",
  "slowest answer",
  "outcome",
];

export function cellsOf({ row, tally, outcome, short }: RowResult): string[] {
  return [
    row.name,
    row.fault,
    String(tally.injected),
    tally.answered.toLocaleString("en"),
    String(tally.reads),
    String(tally.violationCount),
    tally.worstRecoveryMs > 0 ? `${(tally.worstRecoveryMs / 1000).toFixed(2)} s` : "–",
    tally.slowestAnswerMs > 0 ? `${(tally.slowestAnswerMs / 1000).toFixed(2)} s` : "–",
    short && outcome === "kept" ? "kept (short)" : outcome,
  ];
}

export function tableOf(results: readonly RowResult[]): string {
  return [COLUMNS, COLUMNS.map(() => "---"), ...results.map(cellsOf)]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");
}

/** One row's result as readable lines. */
export function describeResult(result: RowResult): string {
  const { tally, outcome, reason, seconds } = result;
  const statuses = [...tally.answers]
    .sort(([a], [b]) => a - b)
    .map(([status, count]) => `${status} × ${count}`);
  const lines = [
    `${outcome} in ${seconds.toFixed(1)} s: ${tally.injected} faults, answers ${statuses.join(", ") || "none"}, ${tally.unanswered} unanswered, invariants read ${tally.reads} times, ${tally.violationCount} violations`,
    `worst recovery ${(tally.worstRecoveryMs / 1000).toFixed(2)} s, slowest answer ${(tally.slowestAnswerMs / 1000).toFixed(2)} s`,
    ...tally.notes,
  ];
  if (reason) lines.push(reason);
  lines.push(...tally.violations.map((words) => `violation: ${words}`));
  return lines.map((line) => `   ${line}`).join("\n");
}
