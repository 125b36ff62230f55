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
  const contract = delivery.contract_address;
  await db.sql`
    with delivered as (
      update webhook_deliveries set delivered_at = now(), next_attempt_at = null, claim_id = null,
        last_status_code = ${outcome.statusCode}, last_duration_ms = ${outcome.durationMs}, last_failure = null
      where contract_address = ${contract} and id = ${delivery.id} and claim_id = ${claimId}
      returning contract_address, endpoint_id
    )
    update webhook_endpoints e set failing_since = null, failures = 0, paused_until = null
    from delivered d
    where e.contract_address = ${contract} and e.contract_address = d.contract_address and e.id = d.endpoint_id and e.failures > 0`;
}

/**
 * Failures of deliveries sent together count once and make one pause, also those that come after it: what was sent before
 * the pause ended belongs to the burst that made it. 410 says that nobody will listen again. The jitter and what the endpoint
 * becomes are computed before the updates: Citus takes nothing there whose value changes from call to call.
 */
async function recordFailure(db: Database, claimId: string, delivery: Delivery, outcome: Outcome) {
  const isGone = outcome.statusCode === GONE;
  const waitSeconds = isGone ? null : (WAIT_SECONDS[delivery.attempts - 1] ?? null);
  const jittered = waitSeconds === null ? null : waitSeconds * (1 + JITTER * Math.random());
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
        case when not is_new_burst then paused_until else now()
          + least(5 * power(2, least(failures, 10)), ${PAUSE_SECONDS_MAX}::int) * interval '1 second' end as paused_until,
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
        case when ${isGone}::boolean then 'it answered 410 Gone' else 'it failed for days' end)
    from before where gives_up`;
}
