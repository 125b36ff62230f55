import { watchAlerts } from "@/server/alerts/watch";
import { makeRequestedAllocations } from "@/server/allocations/make-allocation";
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
import { selfCheckWhenDue } from "@/server/operations/self-check";
import { takeRequestedSnapshots } from "@/server/snapshots/take-snapshot";
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

/** For `GET /api/cron/finalize`: finalizes due batches within the time budget and reports what is left. */
export async function answerCron(
  request: Request,
  requestId: string,
  secondsMax?: number,
): Promise<Response> {
  try {
    checkBearerSecret(request.headers.get("authorization"), settings().CRON_SECRET, "cron secret");
    await requireCurrentSchema();
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

async function runJobs(secondsMax: number): Promise<FinalizerRun> {
  const endsAt = performance.now() + secondsMax * 1000;
  const { FINALIZER_BUDGET_SECONDS } = settings();
  const secondsLeft = () =>
    Math.max(0, Math.min(FINALIZER_BUDGET_SECONDS, Math.floor((endsAt - performance.now()) / 1000)));
  try {
    let run = null as FinalizerRun | null;
    const finalize = async () => {
      run = await finalizeDueBatches(database(), { budgetSeconds: secondsLeft(), startedBy: "cron" });
    };
    const withTime = (job: (secondsMax: number) => Promise<unknown>) => async () => {
      const hasTime = secondsLeft() >= Math.min(CHECK_SECONDS_MIN, FINALIZER_BUDGET_SECONDS);
      if (run?.dueLeft === 0 && hasTime) await job(secondsLeft());
    };
    await doEach([
      // First, so that the call finalizes no batch that staff have stopped.
      () => workBulk(database(), { budgetSeconds: secondsLeft() * BULK_SHARE }),
      finalize,
      () => catchUpRecipients(database(), secondsLeft()),
      () => catchUpReviews(database(), Math.min(REVIEW_SECONDS_MAX, secondsLeft())),
      () => deliverDueWebhooks(database(), { budgetSeconds: secondsLeft(), ...webhookRules() }),
      () => deleteExpired(database(), { budgetSeconds: Math.min(SWEEP_SECONDS_MAX, secondsLeft()) }),
      withTime(takeRequestedSnapshots),
      withTime(makeRequestedAllocations),
      withTime((secondsMax) => selfCheckWhenDue({ startedBy: "cron", secondsMax })),
    ]);
    return run!;
  } finally {
    // Especially when something failed.
    await watchAlerts();
  }
}
