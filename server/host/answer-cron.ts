import { TooLateError } from "@/db/errand";
import { watchAlerts } from "@/server/alerts/watch";
import { requestedAllocations } from "@/server/allocations/make-allocation";
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
import { requestedSnapshots } from "@/server/snapshots/take-snapshot";
import { webhookRules } from "@/server/webhooks/address-rules";
import { deliverDueWebhooks } from "@/server/webhooks/deliver-due";
import { DomainError, PROBLEMS } from "@/terms/problems";

/** At least, of the route's time, for the last statement and the reply. */
const LEFT_SECONDS = 15;
/** How long a call works. @param maxDuration the route's */
export const callSecondsMax = (
  { DATABASE_TIMEOUT_SECONDS }: Pick<Settings, "DATABASE_TIMEOUT_SECONDS">,
  maxDuration: number,
) => Math.max(1, maxDuration - Math.max(LEFT_SECONDS, DATABASE_TIMEOUT_SECONDS + 1));
/** What a long job has at least of a call, or it waits for the next one: it would hardly get further. */
const LONG_SHARE_MIN = 1 / 3;
/** A job with less left of its time may have stopped for want of it. */
const UNUSED_MS_MAX = 1000;

/** For `GET /api/cron/finalize`: finalizes due batches within the time budget and reports what is left. */
export async function answerCron(
  request: Request,
  requestId: string,
  { maxDuration = 60, secondsMax }: { maxDuration?: number; secondsMax?: number } = {},
) {
  try {
    checkBearerSecret(request.headers.get("authorization"), settings().CRON_SECRET, "cron secret");
    await requireCurrentSchema();
    await noteCall(database());
    const run = await runJobs(secondsMax ?? callSecondsMax(settings(), maxDuration));
    if (run.failure) throw new DomainError("internal_error", run.failure, { extra: { ...run } });
    const headers = { "Cache-Control": "no-store", "X-Request-Id": requestId };
    return Response.json({ success: true, ...run }, { headers });
  } catch (error) {
    const known = toRepeatableError(error);
    if (PROBLEMS[known.code].status >= 500) log().error({ error, requestId }, "the cron run failed");
    return problemReply(known, requestId);
  }
}

/**
 * `unfinished` names jobs for which the call was too short. The next one continues them. While one that takes
 * long is due, the others have half of the call.
 */
async function runJobs(secondsMax: number): Promise<FinalizerRun & { unfinished: string[] }> {
  const endsAt = performance.now() + secondsMax * 1000;
  let othersEndAt = endsAt;
  const unfinished: string[] = [];
  const db = database();
  type Work = (secondsMax: number) => Promise<unknown>;
  const job = (name: string, share: number, work: Work, isDue?: () => Promise<boolean>) => async () => {
    if (isDue && !(await isDue())) return;
    const leftMs = Math.max(0, (isDue ? endsAt : othersEndAt) - performance.now());
    const usedUpAt = performance.now() + leftMs * share - UNUSED_MS_MAX;
    const seconds = (leftMs * share) / 1000;
    try {
      if (!isDue) await work(seconds);
      else if (leftMs > secondsMax * 1000 * LONG_SHARE_MIN) await work(Math.ceil(seconds));
    } catch (error) {
      if (!(error instanceof TooLateError)) throw error;
    }
    if (isDue ? await isDue() : performance.now() > usedUpAt) unfinished.push(name);
  };
  try {
    let run = null as FinalizerRun | null;
    await doEach([
      async () => {
        const areDue = [selfCheckIsDue(), requestedSnapshots.isDue(), requestedAllocations.isDue()];
        if ((await Promise.all(areDue)).some(Boolean)) othersEndAt -= secondsMax * 500;
      },
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
      job("self-check", 1 / 2, (most) => selfCheckWhenDue("cron", most), selfCheckIsDue),
      job("snapshots", 1, requestedSnapshots.work, requestedSnapshots.isDue),
      job("allocations", 1, requestedAllocations.work, requestedAllocations.isDue),
    ]);
    return { ...run!, unfinished };
  } finally {
    // Especially when something failed.
    await watchAlerts();
  }
}
