import { randomUUID } from "node:crypto";
import type { Database } from "@/db/client";
import { onShard, type ShardContracts } from "../shards/routing";
import type { WebhookEvent } from "./events";

/**
 * The part of a changing statement that puts an event into the outbox: a row per endpoint that wants it, or none, in the
 * transaction of the change. Without endpoints it is one look at an index for each changed contract.
 * @param changed the part of the statement that has a row (`contract_address`, `seq`, `at`) for each changed batch
 * @param contracts of the changed batches, where the statement knows them
 */
export function announce(db: Database, event: WebhookEvent, changed: string, contracts: ShardContracts) {
  const { sql } = db;
  // A column's random default would make Citus collect the rows and hand them to every worker (submit-batch.ts), so the id is made
  // of a number that is random for this statement, as a UUID of version 8.
  return sql`, announced as (
    insert into webhook_deliveries (contract_address, id, endpoint_id, event, batch_seq, event_at)
    select e.contract_address,
      overlay(overlay(md5(concat(${randomUUID()}::text, e.id, c.seq)) placing '8' from 13) placing '8' from 17)::uuid,
      e.id, ${event}, c.seq, c.at
    from ${sql(changed)} c join webhook_endpoints e on e.contract_address = c.contract_address
    where e.disabled_at is null and ${event} = any(e.events) ${onShard(db, contracts, "e.contract_address")})`;
}
