import type { Database } from "@/db/client";
import type { PointType } from "../ledger/point-types";
import type { TEST_EVENT, WebhookEvent } from "./events";

/** Longer than a try may take: a worker that died has its deliveries taken over after this. */
export const LEASE_SECONDS = 30;
/** Most deliveries of one endpoint at once: one that answers slowly takes no more than these places. */
export const PER_ENDPOINT_MAX = 4;

export interface ClaimedDelivery {
  contract_address: Buffer;
  id: string;
  endpoint_id: string;
  event: WebhookEvent | typeof TEST_EVENT;
  event_at: string;
  attempts: number;
  url: string;
  secret_sealed: Buffer;
  /** Null when there is none, or when its time is over. */
  previous_secret_sealed: Buffer | null;
  /** By the database's clock. */
  now: string;
  batch: ClaimedBatch | null;
}

/** Amounts are text: JSON would make floats of them. */
export interface ClaimedBatch {
  id: string;
  pointType: PointType;
  points: string;
  transferCount: number;
  digest: string;
  createdAt: string;
  finalizeAt: string;
}

/**
 * Takes due deliveries, the longest due first, under a lease. Any number of workers at once: a row that another one holds
 * is passed over, and one that another has just taken is no longer due. Endpoints that are disabled or paused keep theirs.
 * @param taken of how many places of an endpoint this process has taken
 */
export async function claimDeliveries(
  db: Database,
  claim: { claimId: string; count: number; taken: ReadonlyMap<string, number> },
): Promise<ClaimedDelivery[]> {
  return db.sql<ClaimedDelivery[]>`
    with taken as materialized (
      select * from unnest(${list(claim.taken.keys())}::text::uuid[], ${list(claim.taken.values())}::text::int[])
        as t (endpoint_id, places)
    ), candidates as materialized (
      select d.contract_address, d.id, e.url, e.secret_sealed,
        case when e.previous_secret_until > now() then e.previous_secret_sealed end as previous_secret_sealed
      from webhook_endpoints e left join taken t on t.endpoint_id = e.id cross join lateral (
        select w.contract_address, w.id, w.next_attempt_at from webhook_deliveries w
        where w.contract_address = e.contract_address and w.endpoint_id = e.id and w.next_attempt_at <= now()
        order by w.next_attempt_at limit ${PER_ENDPOINT_MAX} - coalesce(t.places, 0)) d
      where e.disabled_at is null and coalesce(e.paused_until <= now(), true)
        and coalesce(t.places, 0) < ${PER_ENDPOINT_MAX}
      order by d.next_attempt_at limit ${claim.count}
    ), locked as materialized (
      select d.contract_address, d.id, c.url, c.secret_sealed, c.previous_secret_sealed
      from webhook_deliveries d join candidates c using (contract_address, id)
      where d.next_attempt_at <= now() for update of d skip locked
    ), claimed as (
      update webhook_deliveries d set claim_id = ${claim.claimId}, attempts = d.attempts + 1, last_attempt_at = now(),
        next_attempt_at = now() + ${LEASE_SECONDS}::int * interval '1 second'
      from locked l where d.contract_address = l.contract_address and d.id = l.id
      returning d.contract_address, d.id, d.endpoint_id, d.event, d.event_at, d.attempts, d.batch_seq, l.url,
        l.secret_sealed, l.previous_secret_sealed
    )
    select c.contract_address, c.id, c.endpoint_id, c.event, c.event_at, c.attempts, c.url, c.secret_sealed,
      c.previous_secret_sealed, now() as now,
      case when b.seq is not null then jsonb_build_object('id', b.id, 'pointType', b.point_type,
        'points', b.points::text, 'transferCount', b.transfer_count, 'digest', encode(b.digest, 'hex'),
        'createdAt', b.created_at, 'finalizeAt', b.finalize_at) end as batch
    from claimed c left join batches b on b.contract_address = c.contract_address and b.seq = c.batch_seq`;
}

const list = (values: Iterable<string | number>) => `{${[...values].join(",")}}`;
