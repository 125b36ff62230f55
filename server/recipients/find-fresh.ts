import type { Database } from "@/db/client";

/** A batch that the recipient index has not reached yet. */
export interface FreshBatch {
  contractAddress: Buffer;
  seq: string;
}

/**
 * Batches newer than the recipient index that pay an address. Asked apart from what uses it: the planner cannot know how
 * few they are. `offset 0` keeps it from looking through all transfers for the address first.
 */
export async function findFreshBatches(db: Database, recipient: Buffer): Promise<FreshBatch[]> {
  return await db.sql<FreshBatch[]>`
    select fresh.contract_address as "contractAddress", fresh.seq from batches fresh
    cross join lateral (
      select 1 from transfers
      where batch_seq = fresh.seq and contract_address = fresh.contract_address and to_address = ${recipient} offset 0) paid
    where (fresh.created_at, fresh.seq) > (select created_at, batch_seq from recipient_progress)`;
}
