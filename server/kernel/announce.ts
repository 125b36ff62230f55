import { randomUUID } from "node:crypto";
import type { Database } from "@/db/client";
import type { WebhookEvent } from "@/terms/batch-terms";
import { onShard, type ShardContracts } from "./shards";

/**
 * A CTE that adds an event to the outbox in the transaction of the change: one row per subscribed endpoint.
 * @param changed the CTE with a row (`contract_address`, `seq`, `at`) for each changed batch, of these
 * contracts if known
 */
export function announce(db: Database, event: WebhookEvent, changed: string, contracts: ShardContracts) {
  const { sql } = db;
  // A column with a random default would make Citus collect the rows and send them to every worker
  // (submit-batch.ts). So the id is a version 8 UUID derived from a number that is random per statement.
  return sql`, announced as (
    insert into webhook_deliveries (contract_address, id, endpoint_id, event, batch_seq, event_at)
    select e.contract_address,
      overlay(
        overlay(md5(concat(${randomUUID()}::text, e.id, c.seq)) placing '8' from 13) placing '8' from 17
      )::uuid,
      e.id, ${event}, c.seq, c.at
    from ${sql(changed)} c join webhook_endpoints e on e.contract_address = c.contract_address
    where e.disabled_at is null and ${event} = any(e.events)
      ${onShard(db, contracts, "e.contract_address")})`;
}
