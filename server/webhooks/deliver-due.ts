import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Webhook } from "standardwebhooks";
import type { Database } from "@/db/client";
import { addressFromBytes } from "@/server/kernel/address-bytes";
import { toTimestamp } from "@/server/kernel/batch-rows";
import { database } from "@/server/kernel/database";
import { log } from "@/server/kernel/log";
import { startWorkLoop } from "@/server/kernel/work-loop";
import { TEST_EVENT, WEBHOOK_EVENTS } from "@/terms/batch-terms";
import { shortestPoints } from "@/terms/points";
import { type WebhookRules, webhookRules } from "./address-rules";
import { CLAIM_MAX, type ClaimedDelivery, claimDeliveries } from "./claim-deliveries";
import { openSecret, resealSecrets } from "./endpoints";
import { type Decision, decideAfter, type Outcome } from "./retry";
import { type SendOptions, sendRequest } from "./send-request";

/** What JSON libraries write differently: slashes, letters beyond ASCII, HTML's characters, a line end. */
const CHECK = "a/b ü <&>\n";

/** The batch at the event. The same on every attempt, so it has nothing that changes later. */
export function payloadOf(
  delivery: Pick<ClaimedDelivery, "contract_address" | "event" | "event_at" | "batch">,
): string {
  const { event, batch } = delivery;
  const contractAddress = addressFromBytes(delivery.contract_address);
  const timestamp = toTimestamp(delivery.event_at);
  if (event === TEST_EVENT)
    return JSON.stringify({ type: event, timestamp, data: { contractAddress, check: CHECK } });
  // The constraint `webhook_deliveries_batch` has one for each other event.
  if (!batch) throw new Error(`A delivery of ${event} has no batch`);
  const data = {
    contractAddress,
    batchId: batch.id,
    status: WEBHOOK_EVENTS[event],
    pointType: batch.pointType,
    points: shortestPoints(batch.points),
    transferCount: batch.transferCount,
    digest: batch.digest,
    createdAt: toTimestamp(batch.createdAt),
    finalizeAt: toTimestamp(batch.finalizeAt),
    reverses: batch.reverses || undefined,
    metadata: batch.metadata || undefined,
    payoutId: batch.payoutId || undefined,
  };
  return JSON.stringify({ type: event, timestamp, data });
}

/** A failing endpoint is paused for 5 s, then twice as long after each burst of failures, up to this. */
const PAUSE_SECONDS_MAX = 300;
/** An endpoint that fails this long without a success is disabled. */
const FAILING_DAYS_MAX = 5;

type Delivery = Pick<ClaimedDelivery, "contract_address" | "id" | "endpoint_id" | "attempts">;

/** Stores the outcome of an attempt, unless another worker has taken over the delivery. */
export async function recordOutcome(
  db: Database,
  claimId: string,
  delivery: Delivery,
  outcome: Outcome,
): Promise<Decision["next"]> {
  const decision = decideAfter(delivery.attempts, outcome, Math.random());
  if (decision.next === "done") await recordSuccess(db, claimId, delivery, outcome);
  else await recordFailure(db, claimId, delivery, outcome, decision);
  return decision.next;
}

/** Leaves a pause alone: it began after this attempt, and the receiver may have asked for it. */
async function recordSuccess(db: Database, claimId: string, delivery: Delivery, outcome: Outcome) {
  const contract = delivery.contract_address;
  await db.sql`
    with delivered as (
      update webhook_deliveries set delivered_at = now(), next_attempt_at = null, claim_id = null,
        last_status_code = ${outcome.statusCode}, last_duration_ms = ${outcome.durationMs},
        last_failure = null
      where contract_address = ${contract} and id = ${delivery.id} and claim_id = ${claimId}
      returning contract_address, endpoint_id, delivered_at
    )
    update webhook_endpoints e set failing_since = null, failures = 0,
      first_delivered_at = coalesce(e.first_delivered_at, d.delivered_at)
    from delivered d
    where e.contract_address = ${contract}
      and e.contract_address = d.contract_address and e.id = d.endpoint_id
      and (e.failures > 0 or e.first_delivered_at is null)`;
}

/**
 * Deliveries that were sent before a pause ended belong to the burst that caused it. Their failures count
 * once, even if they arrive after the pause. The endpoint's new state is computed before the updates, because
 * Citus allows no volatile functions there. A receiver's `Retry-After` also delays the endpoint's others.
 */
async function recordFailure(
  db: Database,
  claimId: string,
  delivery: Delivery,
  outcome: Outcome,
  decision: Exclude<Decision, { next: "done" }>,
) {
  const waitSeconds = decision.next === "retry" ? decision.waitSeconds : null;
  const isGone = decision.next === "discard" && decision.isGone;
  const asked = outcome.retryAfterSeconds ?? 0;
  const contract = delivery.contract_address;
  await db.sql`
    with failed as (
      update webhook_deliveries set claim_id = null,
        next_attempt_at = now() + ${waitSeconds}::float8 * interval '1 second',
        last_status_code = ${outcome.statusCode}, last_duration_ms = ${outcome.durationMs},
        last_failure = ${outcome.failure}
      where contract_address = ${contract} and id = ${delivery.id} and claim_id = ${claimId}
      returning last_attempt_at
    ), endpoint as materialized (
      select contract_address, id, url, failing_since, failures, paused_until, disabled_at, disabled_reason
      from webhook_endpoints where contract_address = ${contract} and id = ${delivery.endpoint_id} for update
    ), before as materialized (
      select e.*, coalesce(f.last_attempt_at >= e.paused_until, true) as is_new_burst,
        e.disabled_at is null and (${isGone}::boolean
        or coalesce(e.failing_since < now() - ${FAILING_DAYS_MAX}::int * interval '1 day', false)) as gives_up
      from failed f cross join endpoint e
    ), after as materialized (
      select contract_address, id, coalesce(failing_since, now()) as failing_since,
        failures + is_new_burst::int as failures,
        greatest(case when not is_new_burst then paused_until else now()
          + least(5 * power(2, least(failures, 10)), ${PAUSE_SECONDS_MAX}::int) * interval '1 second' end,
          now() + nullif(${asked}::float8, 0) * interval '1 second') as paused_until,
        case when gives_up then now() else disabled_at end as disabled_at,
        case
          when not gives_up then disabled_reason
          when ${isGone}::boolean then 'gone'
          else 'failures'
        end as disabled_reason
      from before
    ), counted as (
      update webhook_endpoints e set failing_since = a.failing_since, failures = a.failures,
        paused_until = a.paused_until, disabled_at = a.disabled_at, disabled_reason = a.disabled_reason
      from after a
      where e.contract_address = ${contract} and e.contract_address = a.contract_address and e.id = a.id
    )
    insert into audit_log (actor, action, target, detail)
    select 'webhooks', 'webhook.disable', 'contract:0x' || encode(contract_address, 'hex'),
      jsonb_build_object('url', url, 'endpoint', id, 'reason',
        case when ${isGone}::boolean then 'responded with 410 Gone' else 'failed for 5 days' end)
    from before where gives_up`;
}

export const ATTEMPT_SECONDS_MAX = 10;
/** While slow receivers use some slots, newly due deliveries get the others. */
const LOOK_EVERY_MS = 500;
/** Deliveries that finish together trigger one claim, not one each. */
const GATHER_MS = 20;

export interface DeliverOptions extends WebhookRules, Pick<SendOptions, "resolve"> {
  /** Starts no attempt that might not finish within this budget. */
  budgetSeconds: number;
  /** Stops early, after the attempts in progress. */
  isStopping?: () => boolean;
}

/** Once per process, and when a secret turns up that another process has sealed with the previous one. */
const resealed = new WeakSet<Database>();

/** Sends due deliveries, several at a time, until none are left or time is up. Safe to run concurrently. */
export async function deliverDueWebhooks(db: Database, options: DeliverOptions) {
  const endsAt = performance.now() + options.budgetSeconds * 1000;
  const { serviceSecret, previousServiceSecret } = options;
  if (previousServiceSecret && !resealed.has(db)) {
    await resealSecrets(db, serviceSecret, previousServiceSecret);
    resealed.add(db);
  }
  const run = { delivered: 0, failed: 0 };
  /** With the endpoint of each. */
  const running = new Map<Promise<void>, string>();
  const claimId = randomUUID();
  const begin = (delivery: ClaimedDelivery, secondsMax: number) => {
    const task = deliver(db, claimId, delivery, { ...options, secondsMax })
      .then((isDone) => {
        run[isDone ? "delivered" : "failed"]++;
      })
      .finally(() => running.delete(task));
    running.set(task, delivery.endpoint_id);
  };
  for (;;) {
    const secondsLeft = (endsAt - performance.now()) / 1000;
    const mayBegin = secondsLeft >= 1 && !options.isStopping?.();
    const count = CLAIM_MAX - running.size;
    const taken = [...running.values()];
    const claimed = mayBegin && count > 0 ? await claimDeliveries(db, { claimId, count, taken }) : [];
    for (const delivery of claimed) begin(delivery, Math.min(ATTEMPT_SECONDS_MAX, secondsLeft));
    if (running.size === 0) return run;
    await Promise.race([...running.keys(), sleep(LOOK_EVERY_MS)]);
    await sleep(GATHER_MS);
  }
}

/** Returns whether it succeeded. Never throws: an outcome that was not stored is retried after the lease. */
async function deliver(
  db: Database,
  claimId: string,
  delivery: ClaimedDelivery,
  options: SendOptions & WebhookRules,
): Promise<boolean> {
  try {
    const outcome = await send(db, delivery, options);
    return (await recordOutcome(db, claimId, delivery, outcome)) === "done";
  } catch (error) {
    log().warn(
      { error, delivery: delivery.id },
      "failed to store the outcome of a webhook delivery, it will be sent again",
    );
    return false;
  }
}

async function send(
  db: Database,
  delivery: ClaimedDelivery,
  options: SendOptions & WebhookRules,
): Promise<Outcome> {
  const { endpoint_id, secret_sealed, previous_secret_sealed } = delivery;
  const { serviceSecret, previousServiceSecret } = options;
  const open = (seal: Buffer) => {
    const opened = openSecret(seal, endpoint_id, serviceSecret);
    if (opened !== null || !previousServiceSecret) return opened;
    const openedByPrevious = openSecret(seal, endpoint_id, previousServiceSecret);
    if (openedByPrevious !== null) resealed.delete(db);
    return openedByPrevious;
  };
  const secret = open(secret_sealed);
  if (secret === null)
    return {
      statusCode: null,
      failure: "AUTH_SECRET has changed. Rotate the signing secret.",
      durationMs: 0,
    };
  const body = payloadOf(delivery);
  const sentAt = new Date(delivery.now);
  const secrets = [secret, previous_secret_sealed && open(previous_secret_sealed)].filter(
    (one) => one !== null,
  );
  return sendRequest(
    delivery.url,
    {
      "Content-Type": "application/json",
      "User-Agent": "point-transfer-batches",
      "webhook-id": delivery.id,
      "webhook-timestamp": String(Math.floor(sentAt.getTime() / 1000)),
      "webhook-signature": secrets.map((one) => new Webhook(one).sign(delivery.id, sentAt, body)).join(" "),
    },
    body,
    options,
  );
}

const TICK_MS = 500;
/** Runs are limited in time, so that their view of busy endpoints stays current. */
const RUN_SECONDS_MAX = 60;

export const startWebhookWorker = () =>
  startWorkLoop({
    everyMs: TICK_MS,
    work: (isStopping) =>
      deliverDueWebhooks(database(), { budgetSeconds: RUN_SECONDS_MAX, isStopping, ...webhookRules() }),
    failure: "webhook run failed, retrying",
  });
