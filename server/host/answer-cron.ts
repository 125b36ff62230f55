import { watchAlerts } from "@/server/alerts/watch";
import { allocationIsRequested, makeRequestedAllocations } from "@/server/allocations/make-allocation";
import { workBulk } from "@/server/batches/bulk/work-bulk";
import { catchUpReviews } from "@/server/batches/review/review-new-batches";
import { deleteExpired } from "@/server/finalizer/delete-expired";
import { type FinalizerRun, finalizeDueBatches } from "@/server/finalizer/finalize-due-batches";
import { checkBearerSecret } from "@/server/kernel/bearer-secret";
import { database, requireCurrentSchema } from "@/server/kernel/database";
import { log } from "@/server/kernel/log";
import { OutOfTimeError } from "@/server/kernel/long-work";
import { problemReply } from "@/server/kernel/problem-reply";
import { type Settings, settings } from "@/server/kernel/settings";
import { toRepeatableError } from "@/server/kernel/to-domain-error";
import { doEach } from "@/server/kernel/work-loop";
import { catchUpRecipients } from "@/server/ledger/index-recipients";
import { noteCall } from "@/server/operations/read-state";
import { selfCheckIsDue, selfCheckWhenDue } from "@/server/operations/self-check";
import { snapshotIsRequested, takeRequestedSnapshots } from "@/server/snapshots/take-snapshot";
import { webhookRules } from "@/server/webhooks/address-rules";
import { deliverDueWebhooks } from "@/server/webhooks/deliver-due";
import { DomainError, PROBLEMS } from "@/terms/problems";

const CALL_SECONDS_MAX = 45;
/** A second below the route's `maxDuration`. */
const REPLY_SECONDS_MAX = 59;
/** Budget of one call: the platform's limit, minus the time the last statement may still take. */
export const callSecondsMax = ({ DATABASE_TIMEOUT_SECONDS }: Pick<Settings, "DATABASE_TIMEOUT_SECONDS">) =>
  Math.max(1, Math.min(CALL_SECONDS_MAX, REPLY_SECONDS_MAX - DATABASE_TIMEOUT_SECONDS));
const REVIEW_SECONDS_MAX = 10;
/** Of a call's time. An open job page continues its job between calls. */
const BULK_SHARE = 1 / 3;
/** Time limit for deleting expired rows, after a first chunk of each kind. */
const SWEEP_SECONDS_MAX = 10;
/** With less time left, snapshots, allocations and the self-check wait for the next call. */
const CHECK_SECONDS_MIN = 5;
/** A job with less left of its time may have stopped for want of it. */
const UNUSED_MS_MAX = 1000;

/** For `GET /api/cron/finalize`: finalizes due batches within the time budget and reports what is left. */
export async function answerCron(
  request: Request,
  requestId: string,
  secondsMax?: number,
): Promise<Response> {
  try {
    checkBearerSecret(request.headers.get("authorization"), settings().CRON_SECRET, "cron secret");
    await requireCurrentSchema();
    await noteCall(database());
    const run = await runJobs(secondsMax ?? callSecondsMax(settings()));
    if (run.failure) throw new DomainError("internal_error", run.failure, { extra: { ...run } });
    const headers = { "Cache-Control": "no-store", "X-Request-Id": requestId };
    return Response.json({ success: true, ...run }, { headers });
  } catch (error) {
    const known = toRepeatableError(error);
    if (PROBLEMS[known.code].status >= 500) log().error({ error, requestId }, "the cron run failed");
    return problemReply(known, requestId);
  }
}

interface Job {
  name: string;
  /** How much of the time that is left it may take; all of it when absent. */
  seconds?: (left: number) => number;
  /** Of what takes long: whether there is any. It is not begun with little time. */
  isDue?: () => Promise<boolean>;
  work(secondsMax: number): Promise<unknown>;
}

type CronRun = FinalizerRun & {
  /** Names of jobs that had too little time. The next call continues them. */
  unfinished: string[];
};

async function runJobs(secondsMax: number): Promise<CronRun> {
  const endsAt = performance.now() + secondsMax * 1000;
  const secondsLeft = () => Math.max(0, Math.floor((endsAt - performance.now()) / 1000));
  const unfinished: string[] = [];
  const begin =
    ({ name, seconds = (left) => left, isDue, work }: Job) =>
    async () => {
      if (isDue && !(await isDue())) return;
      const left = secondsLeft();
      const workEndsAt = performance.now() + seconds(left) * 1000;
      const hasTime = !isDue || left >= CHECK_SECONDS_MIN;
      try {
        if (hasTime) await work(seconds(left));
        const isOver = performance.now() > workEndsAt - UNUSED_MS_MAX;
        if (!hasTime || isOver || (await isDue?.())) unfinished.push(name);
      } catch (error) {
        if (!(error instanceof OutOfTimeError)) throw error;
        log().warn({ error, job: name }, "a call of the cron route was too short for a job");
        unfinished.push(name);
      }
    };
  try {
    let run = null as FinalizerRun | null;
    const jobs: Job[] = [
      {
        // First, so that the call finalizes no batch that staff have stopped.
        name: "bulk actions",
        seconds: (left) => left * BULK_SHARE,
        work: (budgetSeconds) => workBulk(database(), { budgetSeconds }),
      },
      {
        name: "due batches",
        seconds: (left) => Math.min(settings().FINALIZER_BUDGET_SECONDS, left),
        async work(budgetSeconds) {
          run = await finalizeDueBatches(database(), { budgetSeconds, startedBy: "cron" });
        },
      },
      { name: "index by recipient", work: (seconds) => catchUpRecipients(database(), seconds) },
      {
        name: "reviews",
        seconds: (left) => Math.min(REVIEW_SECONDS_MAX, left),
        work: (seconds) => catchUpReviews(database(), seconds),
      },
      {
        name: "webhooks",
        work: (budgetSeconds) => deliverDueWebhooks(database(), { budgetSeconds, ...webhookRules() }),
      },
      {
        name: "expired rows",
        seconds: (left) => Math.min(SWEEP_SECONDS_MAX, left),
        work: (budgetSeconds) => deleteExpired(database(), { budgetSeconds }),
      },
      {
        // One that never has the time must leave some for what comes after it.
        name: "self-check",
        seconds: (left) => Math.ceil(left / 2),
        isDue: selfCheckIsDue,
        work: (secondsMax) => selfCheckWhenDue({ startedBy: "cron", secondsMax }),
      },
      { name: "snapshots", isDue: snapshotIsRequested, work: takeRequestedSnapshots },
      { name: "allocations", isDue: allocationIsRequested, work: makeRequestedAllocations },
    ];
    await doEach(jobs.map(begin));
    return { ...run!, unfinished };
  } finally {
    // Especially when something failed.
    await watchAlerts();
  }
}
