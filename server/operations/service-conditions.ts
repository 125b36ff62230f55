import type { FinalizingState, RecentRun, SelfCheckState } from "./read-state";

/** A host's finalizer ticks twice a second. */
const TICK_SECONDS_MAX = 30;
/** The cron route is called once a minute, or by deploy/finalize-workflow.yml every five. */
const CRON_SECONDS_MAX = 600;
const OVERDUE_SECONDS_MAX = 60;
/** Normally a second or two. A restore or an upgrade may have much to index. */
const UNINDEXED_SECONDS_MAX = 300;
const HOUR_MS = 3_600_000;

/** What is wrong with the service now, which starts an alert. */
export interface ServiceCondition {
  kind: "tick" | "overdue" | "run" | "index" | "check";
  /** Of a check. */
  cause?: "unfinished" | "unbalanced" | "late";
  /** The same as long as the condition lasts, without durations. */
  title: string;
  remedy: string;
}

export interface Watched {
  state: FinalizingState;
  check: SelfCheckState;
  lastRun: RecentRun | undefined;
  nowMs: number;
}

/** Worst first. */
export function conditionsOf(watched: Watched): ServiceCondition[] {
  return [check(watched), tick(watched), overdue(watched), run(watched), index(watched)].filter(
    (condition) => condition !== null,
  );
}

function tick({ state: { lastTickSeconds, finalizerIsOn, callSeconds } }: Watched): ServiceCondition | null {
  const most = finalizerIsOn ? TICK_SECONDS_MAX : Math.max(CRON_SECONDS_MAX, 2 * (callSeconds ?? 0));
  if (lastTickSeconds !== null && lastTickSeconds <= most) return null;
  return {
    kind: "tick",
    title: "No finalizer is running",
    remedy: finalizerIsOn
      ? "FINALIZER is on for this host: check its log for the cause. " +
        "Operators can use “Run now” to finalize once."
      : "Set FINALIZER=on and restart a host, or call the cron route (GET /api/cron/finalize with " +
        "CRON_SECRET) at least once a minute. Operators can use “Run now” to finalize once.",
  };
}

/** Between two calls of the cron route nothing is finalized. Then what counts is what the last call left. */
const sinceCall = (watched: Watched): number =>
  watched.state.finalizerIsOn || tick(watched) ? 0 : watched.state.lastTickSeconds!;

function overdue(watched: Watched): ServiceCondition | null {
  if ((watched.state.oldestOverdueSeconds ?? 0) - sinceCall(watched) <= OVERDUE_SECONDS_MAX) return null;
  return {
    kind: "overdue",
    title: "Batches are overdue",
    remedy:
      "Operators can use “Run now” to finalize as much as possible in 10 seconds. If that is not enough, " +
      "check the recent runs on the Operations page for failures. If none failed, the finalizer cannot " +
      "keep up: add a host.",
  };
}

function run({ lastRun }: Watched): ServiceCondition | null {
  if (!lastRun?.failure) return null;
  return {
    kind: "run",
    title: "The last finalizer run failed",
    remedy:
      `${lastRun.failure} No batch was left half-finalized, and the batches will be retried. ` +
      "The log of the host has the full error.",
  };
}

function index(watched: Watched): ServiceCondition | null {
  if ((watched.state.unindexedSeconds ?? 0) - sinceCall(watched) <= UNINDEXED_SECONDS_MAX) return null;
  // The finalizer's host writes it.
  if (tick(watched)) return null;
  return {
    kind: "index",
    title: "The index by recipient is behind",
    remedy:
      "New batches are missing from recipients' pages, and are not reviewed. No points are affected. Check " +
      "the log of the host that runs the finalizer for the cause. After a restore or an upgrade, wait.",
  };
}

function check({ state, check: { last, everyHours }, nowMs }: Watched): ServiceCondition | null {
  if (!last) return null;
  if (!last.isWhole)
    return {
      kind: "check",
      cause: "unfinished",
      title: "The last ledger self-check did not finish",
      remedy: last.findings[0]?.detail ?? "Run another check on the Operations page.",
    };
  if (!last.isOk)
    return {
      kind: "check",
      cause: "unbalanced",
      title: "The ledger does not balance",
      remedy:
        "The findings are listed on the Operations page. Set FINALIZER=off until you understand them, " +
        "back up the database, and check again.",
    };
  const mostMs = 2 * everyHours * HOUR_MS + (state.callSeconds ?? 0) * 1000;
  if (everyHours === 0 || nowMs - Date.parse(last.finishedAt) <= mostMs) return null;
  return {
    kind: "check",
    cause: "late",
    title: "The ledger self-check is late",
    remedy:
      "Neither a host nor the cron route has run the scheduled check. Use “Check now” to run it immediately.",
  };
}
