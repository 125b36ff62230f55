import { CircleCheck, CircleDashed, TriangleAlert } from "lucide-react";
import { createLoader, createSerializer, parseAsStringLiteral } from "nuqs/server";
import { counted } from "@/app/ui/amount";
import { formatDuration } from "@/app/ui/format-time";
import {
  checkAgeSeconds,
  conditionsOf,
  RANGES,
  type ServiceCondition,
  type Watched,
} from "@/server/operations/conditions";
import type { LastCheck } from "@/server/operations/read-state";

const params = {
  range: parseAsStringLiteral(RANGES).withDefault("1h"),
  runs: parseAsStringLiteral(["all", "failed"] as const).withDefault("all"),
};

export type OperationsParams = Awaited<ReturnType<typeof loadOperationsParams>>;
export const loadOperationsParams = createLoader(params);
const toQuery = createSerializer(params);
export const operationsPath = (given: Partial<OperationsParams>) => toQuery("/operations", given);

/** The most findings that a check stores. */
export const FINDINGS_MAX = 100;

/** `1 finding`, `100 or more findings`. */
export const countedFindings = (count: number) =>
  count < FINDINGS_MAX ? counted(count, "finding", "findings") : `${FINDINGS_MAX} or more findings`;

/** What a self-check has found. */
export function checkResult(last: LastCheck | null) {
  if (!last) return { label: "None yet", tone: "cancelled", icon: CircleDashed } as const;
  if (last.isOk) return { label: "Balanced", tone: "finalized", icon: CircleCheck } as const;
  if (!last.isWhole) return { label: "Incomplete", tone: "overdue", icon: TriangleAlert } as const;
  return { label: "Does not balance", tone: "danger", icon: TriangleAlert } as const;
}

/** A condition with how long it has lasted. */
export type Warning = Pick<ServiceCondition, "kind" | "title" | "remedy">;

/** Worst first. */
export function warningsOf(watched: Watched): Warning[] {
  return conditionsOf(watched).map(({ kind, cause, title, remedy }) => ({
    kind,
    title: TITLES[cause]?.(watched) ?? `${title}.`,
    remedy,
  }));
}

const TITLES: Partial<Record<ServiceCondition["cause"], (watched: Watched) => string>> = {
  tick: ({ state: { lastTickSeconds } }) =>
    lastTickSeconds === null
      ? "No finalizer is running. None has ever checked for due batches."
      : `No finalizer is running. The last check for due batches was ${formatDuration(lastTickSeconds)} ago.`,
  overdue: ({ state }) =>
    `The oldest due batch is ${formatDuration(state.oldestOverdueSeconds ?? 0)} overdue.`,
  unbalanced: ({ check: { last } }) =>
    `The ledger does not balance: ${countedFindings(last?.findings.length ?? 0)} in the last self-check.`,
  late: ({ check: { last, everyHours }, nowMs }) =>
    last
      ? `The ledger was last checked ${formatDuration(checkAgeSeconds(last.finishedAt, nowMs))} ago, but should be checked every ${everyHours} h.`
      : "The ledger was never checked.",
};
