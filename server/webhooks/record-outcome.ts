import type { Database } from "@/db/client";
import type { ClaimedDelivery } from "./claim-deliveries";
import type { SendOutcome } from "./send-request";

const MINUTE = 60;
const HOUR = 3600;
/** Seconds to wait after each try that failed, as Standard Webhooks proposes: ten tries in a little more than three days. */
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

/** Waits are up to this much longer, so that deliveries that failed together do not come together again. */
const JITTER = 0.2;
/** An endpoint that fails is left alone for 5 s, then twice as long after each burst of failures, up to this. */
const PAUSE_SECONDS_MAX = 5 * MINUTE;
/** An endpoint that fails for this long without a success between is disabled. */
const FAILING_DAYS_MAX = 5;
const GONE = 410;

type Delivery = Pick<ClaimedDelivery, "contract_address" | "id" | "endpoint_id" | "attempts">;
export type Outcome = Pick<SendOutcome, "statusCode" | "failure" | "durationMs">;

export const isDelivered = ({ statusCode }: Outcome) =>
  statusCode !== null && statusCode >= 200 && statusCode < 300;

/** Writes down how a try ended, unless another worker took the delivery over meanwhile. */
export async function recordOutcome(
  db: Database,
  claimId: string,
  delivery: Delivery,
  outcome: Outcome,
): Promise<void> {
  if (isDelivered(outcome)) await recordSuccess(db, claimId, delivery, outcome);
  else await recordFailure(db, claimId, delivery, outcome);
}

async function recordSuccess(db: Database, claimId: string, delivery: Delivery, outcome: Outcome) {
  await db.sql`
    with delivered as (
      update webhook_deliveries set delivered_at = now(), next_attempt_at = null, claim_id = null,
        last_status_code = ${outcome.statusCode}, last_duration_ms = ${outcome.durationMs}, last_failure = null
      where contract_address = ${delivery.contract_address} and id = ${delivery.id} and claim_id = ${claimId}
      returning contract_address, endpoint_id
    )
    update webhook_endpoints e set failing_since = null, failures = 0, paused_until = null
    from delivered d where e.contract_address = d.contract_address and e.id = d.endpoint_id and e.failures > 0`;
}

/**
 * Failures of deliveries sent together count once and make one pause, also those that come after it: what was sent before
 * the pause ended belongs to the burst that made it. 410 says that nobody will listen again.
 */
async function recordFailure(db: Database, claimId: string, delivery: Delivery, outcome: Outcome) {
  const isGone = outcome.statusCode === GONE;
  const waitSeconds = isGone ? null : (WAIT_SECONDS[delivery.attempts - 1] ?? null);
  await db.sql`
    with failed as (
      update webhook_deliveries set claim_id = null,
        next_attempt_at = now() + ${waitSeconds}::int * (1 + ${JITTER}::float8 * random()) * interval '1 second',
        last_status_code = ${outcome.statusCode}, last_duration_ms = ${outcome.durationMs},
        last_failure = ${outcome.failure}
      where contract_address = ${delivery.contract_address} and id = ${delivery.id} and claim_id = ${claimId}
      returning contract_address, endpoint_id, last_attempt_at
    ), before as materialized (
      select e.contract_address, e.id, e.url, coalesce(f.last_attempt_at >= e.paused_until, true) as is_new_burst,
        e.disabled_at is null and (${isGone}::boolean
        or coalesce(e.failing_since < now() - ${FAILING_DAYS_MAX}::int * interval '1 day', false)) as gives_up
      from webhook_endpoints e join failed f on e.contract_address = f.contract_address and e.id = f.endpoint_id
      for update of e
    ), counted as (
      update webhook_endpoints e set failing_since = coalesce(e.failing_since, now()),
        failures = e.failures + b.is_new_burst::int,
        paused_until = case when not b.is_new_burst then e.paused_until else now()
          + least(5 * power(2, least(e.failures, 10)), ${PAUSE_SECONDS_MAX}::int) * interval '1 second' end,
        disabled_at = case when b.gives_up then now() else e.disabled_at end,
        disabled_reason = case when not b.gives_up then e.disabled_reason
          when ${isGone}::boolean then 'gone' else 'failures' end
      from before b where e.contract_address = b.contract_address and e.id = b.id
    )
    insert into audit_log (actor, action, target, detail)
    select 'webhooks', 'webhook.disable', 'contract:0x' || encode(contract_address, 'hex'),
      jsonb_build_object('url', url, 'endpoint', id, 'reason',
        case when ${isGone}::boolean then 'it answered 410 Gone' else 'it failed for days' end)
    from before where gives_up`;
}
