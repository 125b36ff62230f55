import type { Database } from "@/db/client";
import type { ClaimedDelivery } from "./claim-deliveries";
import type { SendOutcome } from "./send-request";

const MINUTE = 60;
const HOUR = 3600;
/** Seconds to wait after each failed attempt, as Standard Webhooks suggests: ten attempts in a little over three days. */
const WAIT_SECONDS = [
  5,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
] as const;

/** Waits are randomly extended by up to this fraction, so that deliveries that failed together do not retry together. */
const JITTER = 0.2;
/** A failing endpoint is paused for 5 s, then twice as long after each burst of failures, up to this. */
const PAUSE_SECONDS_MAX = 5 * MINUTE;
/** An endpoint that fails this long without a success is disabled. */
const FAILING_DAYS_MAX = 5;
const GONE = 410;

type Delivery = Pick<ClaimedDelivery, "contract_address" | "id" | "endpoint_id" | "attempts">;
export type Outcome = Pick<SendOutcome, "statusCode" | "failure" | "durationMs" | "retryAfterSeconds">;

export const isDelivered = ({ statusCode }: Outcome) =>
  statusCode !== null && statusCode >= 200 && statusCode < 300;

/** Stores the outcome of an attempt, unless another worker has taken over the delivery. */
export async function recordOutcome(
  db: Database,
  claimId: string,
  delivery: Delivery,
  outcome: Outcome,
): Promise<void> {
  if (isDelivered(outcome)) await recordSuccess(db, claimId, delivery, outcome);
  else await recordFailure(db, claimId, delivery, outcome);
}

/** Leaves a pause alone: one that has not ended began after this attempt, and the receiver may have asked for it. */
async function recordSuccess(db: Database, claimId: string, delivery: Delivery, outcome: Outcome) {
  const contract = delivery.contract_address;
  await db.sql`
    with delivered as (
      update webhook_deliveries set delivered_at = now(), next_attempt_at = null, claim_id = null,
        last_status_code = ${outcome.statusCode}, last_duration_ms = ${outcome.durationMs}, last_failure = null
      where contract_address = ${contract} and id = ${delivery.id} and claim_id = ${claimId}
      returning contract_address, endpoint_id, delivered_at
    )
    update webhook_endpoints e set failing_since = null, failures = 0,
      first_delivered_at = coalesce(e.first_delivered_at, d.delivered_at)
    from delivered d
    where e.contract_address = ${contract} and e.contract_address = d.contract_address and e.id = d.endpoint_id
      and (e.failures > 0 or e.first_delivered_at is null)`;
}

/**
 * Deliveries that were sent before a pause ended belong to the burst that caused it. Their failures count once, even if
 * they arrive after the pause. A 410 means that the endpoint is gone for good. The jitter and the endpoint's new state are
 * computed before the updates, because Citus allows no volatile functions there. A receiver's `Retry-After` delays this
 * delivery and the endpoint's others.
 */
async function recordFailure(db: Database, claimId: string, delivery: Delivery, outcome: Outcome) {
  const isGone = outcome.statusCode === GONE;
  const waitSeconds = isGone ? null : (WAIT_SECONDS[delivery.attempts - 1] ?? null);
  const asked = outcome.retryAfterSeconds ?? 0;
  const jittered = waitSeconds === null ? null : Math.max(waitSeconds, asked) * (1 + JITTER * Math.random());
  const contract = delivery.contract_address;
  await db.sql`
    with failed as (
      update webhook_deliveries set claim_id = null,
        next_attempt_at = now() + ${jittered}::float8 * interval '1 second',
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
        case when not gives_up then disabled_reason when ${isGone}::boolean then 'gone' else 'failures' end as disabled_reason
      from before
    ), counted as (
      update webhook_endpoints e set failing_since = a.failing_since, failures = a.failures, paused_until = a.paused_until,
        disabled_at = a.disabled_at, disabled_reason = a.disabled_reason
      from after a where e.contract_address = ${contract} and e.contract_address = a.contract_address and e.id = a.id
    )
    insert into audit_log (actor, action, target, detail)
    select 'webhooks', 'webhook.disable', 'contract:0x' || encode(contract_address, 'hex'),
      jsonb_build_object('url', url, 'endpoint', id, 'reason',
        case when ${isGone}::boolean then 'responded with 410 Gone' else 'failed for 5 days' end)
    from before where gives_up`;
}
