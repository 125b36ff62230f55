import { cancelBatch } from "@/server/batches/change/cancel-batch";
import type { ServiceContext } from "@/server/kernel/context";
import type { BatchKey, PayoutCounts } from "@/terms/batch-schema";
import { DomainError } from "@/terms/problems";
import { batchesOf, readPayout } from "./read-payout";
import { CANCELLED_AT_ONCE_MAX, type PayoutKey } from "./schema";

/**
 * Cancels the pending batches of a payout one after the other, up to a thousand. Safe to repeat: what is
 * cancelled stays so, and a repeat continues with the rest.
 * @returns how many were cancelled now, and the counts of all afterwards
 * @throws DomainError `payout_not_found`
 */
export async function cancelPayout(
  ctx: ServiceContext,
  input: PayoutKey,
): Promise<{ cancelled: number; counts: PayoutCounts }> {
  const { contractAddress } = input;
  let cancelled = 0;
  for (const batchId of await readPending(ctx, input)) {
    ctx.requireWanted?.();
    if (await tryCancel(ctx, { contractAddress, batchId })) cancelled++;
  }
  return { cancelled, counts: (await readPayout(ctx, input)).counts };
}

/** False when the batch was claimed or cancelled meanwhile. */
async function tryCancel(ctx: ServiceContext, batch: BatchKey): Promise<boolean> {
  try {
    await cancelBatch(ctx, batch);
    return true;
  } catch (error) {
    if (error instanceof DomainError && error.code === "not_cancellable") return false;
    throw error;
  }
}

/** Soonest due first: these have the least time left. */
async function readPending({ db }: ServiceContext, key: PayoutKey): Promise<string[]> {
  const rows = await db.sql<{ id: string }[]>`
    select b.id from ${batchesOf(db, key)} and b.status = 'PENDING'
    order by b.finalize_at, b.seq limit ${CANCELLED_AT_ONCE_MAX}`;
  return rows.map(({ id }) => id);
}
