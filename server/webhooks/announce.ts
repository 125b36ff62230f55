import type { Database } from "@/db/client";
import { onShard, type ShardContracts } from "../distribution/routing";
import type { WebhookEvent } from "./events";

/**
 * The part of a changing statement that puts an event into the outbox: a row per endpoint that wants it, or none, in the
 * transaction of the change. Without endpoints it is one look at an index for each changed contract.
 * @param changed the part of the statement that has a row (`contract_address`, `seq`, `at`) for each changed batch
 * @param contracts of the changed batches, where the statement knows them
 */
export function announce(db: Database, event: WebhookEvent, changed: string, contracts: ShardContracts) {
  const { sql } = db;
  return sql`, announced as (
    insert into webhook_deliveries (contract_address, endpoint_id, event, batch_seq, event_at)
    select e.contract_address, e.id, ${event}, c.seq, c.at
    from ${sql(changed)} c join webhook_endpoints e on e.contract_address = c.contract_address
    where e.disabled_at is null and ${event} = any(e.events) ${onShard(db, contracts, "e.contract_address")})`;
}
