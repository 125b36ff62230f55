import type { Database } from "@/db/client";
import type { ListedBatch } from "../kernel/values/batch-rows";
import { transfersTo } from "./fresh-transfers";

/** A batch that the recipient index has not reached yet. */
export type FreshBatch = Pick<ListedBatch, "contractAddress" | "seq" | "createdAt">;

/**
 * Batches newer than the recipient index that pay an address. A separate query, because the planner cannot know how few
 * they are.
 */
export async function findFreshBatches(db: Database, recipient: Buffer): Promise<FreshBatch[]> {
  return await db.sql<FreshBatch[]>`
    with newer as materialized (
      select contract_address, seq, created_at from batches
      where (created_at, seq) > (select created_at, batch_seq from recipient_progress)
    ), ${transfersTo(db.sql, recipient, "newer")}
    select contract_address as "contractAddress", batch_seq as seq, created_at as "createdAt" from fresh`;
}
