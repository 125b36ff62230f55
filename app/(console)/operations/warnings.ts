import type { SelfCheckState } from "@/server/operations/last-check";
import type { RecentRun } from "@/server/operations/list-runs";
import type { FinalizingState } from "@/server/operations/read-state";
import { formatDuration } from "../../ui/duration";
import { countedFindings } from "./counted";

/** A finalizer of a host looks twice a second. */
const TICK_SECONDS_MAX = 30;
/** Where the cron route finalizes, it is usually called once a minute. */
const CRON_SECONDS_MAX = 90;
const OVERDUE_SECONDS_MAX = 60;
const HOUR_SECONDS = 3600;

export interface Warning {
  kind: "tick" | "overdue" | "run" | "check";
  title: string;
  /** What to do about it. */
  wayOut: string;
}

interface Watched {
  state: FinalizingState;
  check: SelfCheckState;
  lastRun: RecentRun | undefined;
  nowMs: number;
}

/** Everything that somebody should look after now, the worst first. */
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
      ? "none has ever looked for due batches."
      : `the last look for due batches was ${formatDuration(lastTickSeconds)} ago.`;
  return {
    kind: "tick",
    title: `No finalizer runs: ${since}`,
    wayOut: finalizerIsOn
      ? "FINALIZER is on here, so the log of this host says why it fails. “Run now”, for operators, finalizes once."
      : "Set FINALIZER=on and restart a host, or call the cron route (GET /api/cron/finalize with CRON_SECRET) at least once a minute. “Run now”, for operators, finalizes once.",
  };
}

function overdueWarning({ state }: Watched): Warning | null {
  const { oldestOverdueSeconds } = state;
  if (oldestOverdueSeconds === null || oldestOverdueSeconds <= OVERDUE_SECONDS_MAX) return null;
  return {
    kind: "overdue",
    title: `The oldest due batch has waited ${formatDuration(oldestOverdueSeconds)}.`,
    wayOut:
      "“Run now”, for operators, finalizes what it can in 10 seconds. If it stays, the recent runs below tell why; if none fails, there is more than the finalizer can do: add a host.",
  };
}

function runWarning({ lastRun }: Watched): Warning | null {
  if (!lastRun?.failure) return null;
  return {
    kind: "run",
    title: "The last finalizer run failed.",
    wayOut: `${lastRun.failure} Nothing of it was half done: its batches are tried again, and the log of the host has the whole error.`,
  };
}

function checkWarning({ check: { last, everyHours }, nowMs }: Watched): Warning | null {
  if (!last) return null;
  if (!last.isWhole) {
    return {
      kind: "check",
      title: "The last self-check of the ledger did not come to its end.",
      wayOut: last.findings[0]?.detail ?? "Start another one below.",
    };
  }
  if (!last.isOk) {
    return {
      kind: "check",
      title: `The ledger does not balance: ${countedFindings(last.findings.length)} in the last self-check.`,
      wayOut:
        "The findings are below. Set FINALIZER=off until they are understood, keep a backup of the database, and check again.",
    };
  }
  const ageSeconds = (nowMs - Date.parse(last.finishedAt)) / 1000;
  if (everyHours === 0 || ageSeconds <= 2 * everyHours * HOUR_SECONDS) return null;
  return {
    kind: "check",
    title: `The ledger was last checked ${formatDuration(ageSeconds)} ago, though it should be every ${everyHours} h.`,
    wayOut: "Neither a host nor the cron route came to it. “Check now” does it at once.",
  };
}
