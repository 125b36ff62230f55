import {
  checkAgeSeconds,
  conditionsOf,
  type ServiceCondition,
  type Watched,
} from "@/server/operations/conditions";
import { formatDuration } from "../../ui/duration";
import { countedFindings } from "./counted";

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
