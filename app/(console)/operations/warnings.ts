import type { SelfCheckState } from "@/server/operations/last-check";
import type { RecentRun } from "@/server/operations/list-runs";
import type { FinalizingState } from "@/server/operations/read-state";
import { formatDuration } from "../../ui/duration";
import { countedFindings } from "./counted";

/** A host's finalizer ticks twice a second. */
const TICK_SECONDS_MAX = 30;
/** The cron route is usually called once a minute. */
const CRON_SECONDS_MAX = 90;
const OVERDUE_SECONDS_MAX = 60;
const HOUR_SECONDS = 3600;

export interface Warning {
  kind: "tick" | "overdue" | "run" | "check";
  title: string;
  remedy: string;
}

interface Watched {
  state: FinalizingState;
  check: SelfCheckState;
  lastRun: RecentRun | undefined;
  nowMs: number;
}

/** Worst first. */
export function warningsOf(watched: Watched): Warning[] {
  return [checkWarning(watched), tickWarning(watched), overdueWarning(watched), runWarning(watched)].filter(
    (warning) => warning !== null,
  );
}

function tickWarning({ state }: Watched): Warning | null {
  const { lastTickSeconds, finalizerIsOn } = state;
  const most = finalizerIsOn ? TICK_SECONDS_MAX : CRON_SECONDS_MAX;
  if (lastTickSeconds !== null && lastTickSeconds <= most) return null;
  const since =
    lastTickSeconds === null
      ? "None has ever checked for due batches."
      : `The last check for due batches was ${formatDuration(lastTickSeconds)} ago.`;
  return {
    kind: "tick",
    title: `No finalizer is running. ${since}`,
    remedy: finalizerIsOn
      ? "FINALIZER is on for this host: check its log for the cause. Operators can use “Run now” to finalize once."
      : "Set FINALIZER=on and restart a host, or call the cron route (GET /api/cron/finalize with CRON_SECRET) at least once a minute. Operators can use “Run now” to finalize once.",
  };
}

function overdueWarning({ state }: Watched): Warning | null {
  const { oldestOverdueSeconds } = state;
  if (oldestOverdueSeconds === null || oldestOverdueSeconds <= OVERDUE_SECONDS_MAX) return null;
  return {
    kind: "overdue",
    title: `The oldest due batch is ${formatDuration(oldestOverdueSeconds)} overdue.`,
    remedy:
      "Operators can use “Run now” to finalize as much as possible in 10 seconds. If that is not enough, check the recent runs below for failures. If none failed, the finalizer cannot keep up: add a host.",
  };
}

function runWarning({ lastRun }: Watched): Warning | null {
  if (!lastRun?.failure) return null;
  return {
    kind: "run",
    title: "The last finalizer run failed.",
    remedy: `${lastRun.failure} No batch was left half-finalized, and the batches will be retried. The log of the host has the full error.`,
  };
}

function checkWarning({ check: { last, everyHours }, nowMs }: Watched): Warning | null {
  if (!last) return null;
  if (!last.isWhole) {
    return {
      kind: "check",
      title: "The last ledger self-check did not finish.",
      remedy: last.findings[0]?.detail ?? "Run another check below.",
    };
  }
  if (!last.isOk) {
    return {
      kind: "check",
      title: `The ledger does not balance: ${countedFindings(last.findings.length)} in the last self-check.`,
      remedy:
        "The findings are listed below. Set FINALIZER=off until you understand them, back up the database, and check again.",
    };
  }
  const ageSeconds = (nowMs - Date.parse(last.finishedAt)) / 1000;
  if (everyHours === 0 || ageSeconds <= 2 * everyHours * HOUR_SECONDS) return null;
  return {
    kind: "check",
    title: `The ledger was last checked ${formatDuration(ageSeconds)} ago, but should be checked every ${everyHours} h.`,
    remedy:
      "Neither a host nor the cron route has run the scheduled check. Use “Check now” to run it immediately.",
  };
}
