import { TooLateError } from "@/db/errand";
import { watchAlerts } from "@/server/alerts/watch";
import { allocationIsRequested, makeRequestedAllocations } from "@/server/allocations/make-allocation";
import { workBulk } from "@/server/batches/bulk/work-bulk";
import { catchUpReviews } from "@/server/batches/review/review-new-batches";
import { deleteExpired } from "@/server/finalizer/delete-expired";
import { type FinalizerRun, finalizeDueBatches } from "@/server/finalizer/finalize-due-batches";
import { checkBearerSecret } from "@/server/kernel/bearer-secret";
import { database, requireCurrentSchema } from "@/server/kernel/database";
import { log } from "@/server/kernel/log";
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
/** With less time left, what takes long waits for the next call, since it would begin in vain. */
const LONG_SECONDS_MIN = 5;
/** A job with less left of its time may have stopped for want of it. */
const UNUSED_MS_MAX = 1000;

/** For `GET /api/cron/finalize`: finalizes due batches within the time budget and reports what is left. */
export async function answerCron(request: Request, requestId: string, secondsMax?: number) {
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

/** `unfinished` names jobs for which the call was too short. The next one continues them. */
async function runJobs(secondsMax: number): Promise<FinalizerRun & { unfinished: string[] }> {
  const endsAt = performance.now() + secondsMax * 1000;
  const unfinished: string[] = [];
  const db = database();
  type Work = (secondsMax: number) => Promise<unknown>;
  const job = (name: string, share: number, work: Work) => async () => {
    const seconds = Math.max(0, (endsAt - performance.now()) / 1000) * share;
    const usedUpAt = performance.now() + seconds * 1000 - UNUSED_MS_MAX;
    try {
      await work(seconds);
      if (performance.now() > usedUpAt) unfinished.push(name);
    } catch (error) {
      if (!(error instanceof TooLateError)) throw error;
      unfinished.push(name);
    }
  };
  const longJob = (name: string, isDue: () => Promise<boolean>, work: Work) => {
    const begin = job(name, 1, async (seconds) => {
      if (seconds < LONG_SECONDS_MIN) throw new TooLateError();
      await work(Math.floor(seconds));
    });
    return async () => {
      if (await isDue()) await begin();
    };
  };
  try {
    let run = null as FinalizerRun | null;
    await doEach([
      // First, so that the call finalizes no batch that staff have stopped.
      job("bulk actions", 1 / 3, (budgetSeconds) => workBulk(db, { budgetSeconds })),
      job("due batches", 1, async (seconds) => {
        const budgetSeconds = Math.min(settings().FINALIZER_BUDGET_SECONDS, seconds);
        run = await finalizeDueBatches(db, { budgetSeconds, startedBy: "cron" });
      }),
      job("index by recipient", 1 / 2, (seconds) => catchUpRecipients(db, seconds)),
      job("reviews", 1 / 4, (seconds) => catchUpReviews(db, seconds)),
      job("webhooks", 1 / 2, (budgetSeconds) => deliverDueWebhooks(db, { budgetSeconds, ...webhookRules() })),
      job("expired rows", 1 / 4, (budgetSeconds) => deleteExpired(db, { budgetSeconds })),
      // One that never has the time must leave some for what comes after it.
      longJob("self-check", selfCheckIsDue, (seconds) =>
        selfCheckWhenDue({ startedBy: "cron", secondsMax: Math.ceil(seconds / 2) }),
      ),
      longJob("snapshots", snapshotIsRequested, takeRequestedSnapshots),
      longJob("allocations", allocationIsRequested, makeRequestedAllocations),
    ]);
    return { ...run!, unfinished };
  } finally {
    // Especially when something failed.
    await watchAlerts();
  }
}
