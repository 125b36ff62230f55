import { cancelGroup } from "@/server/batches/change/cancel-batch";
import { batchesOf } from "@/server/batches/list/not-paid";
import type { ServiceContext } from "@/server/kernel/context";
import { POINT_TYPES, type PointType } from "@/terms/batch-terms";
import { readPayout } from "./read-payout";
import { CANCELLED_AT_ONCE_MAX, type PayoutKey } from "./schema";

/** Its statement keeps the contract's account locked for a few hundredths of a second. */
const GROUP_BATCHES_MAX = 250;
/** What is left of the caller's time for the last group, which may wait for a lock, and for the counts. */
const TIME_SHARE_LEFT = 0.5;

/**
 * Cancels the pending batches of a payout, some hundred in a statement, as many as the caller's time allows.
 * Safe to repeat: what is cancelled stays so, and a repeat continues with the rest. Batches that are claimed
 * meanwhile are left alone.
 * @returns how many this call cancelled, and all batches of the payout afterwards
 * @throws DomainError `payout_not_found`
 */
export async function cancelPayout(ctx: ServiceContext, input: PayoutKey) {
  const timeLeftMs = () => ctx.timeLeftMs?.() ?? Number.POSITIVE_INFINITY;
  const keptMs = timeLeftMs() * TIME_SHARE_LEFT;
  const pending = await readPending(ctx, input);
  let cancelled = 0;
  for (let from = 0; from < pending.length; from += GROUP_BATCHES_MAX) {
    // The first group is tried whatever is left, so that a call cancels something or says why it could not.
    if (from > 0 && timeLeftMs() < keptMs) break;
    const group = pending.slice(from, from + GROUP_BATCHES_MAX);
    for (const type of POINT_TYPES) {
      const ids = group.filter(({ pointType }) => pointType === type).map(({ id }) => id);
      if (ids.length === 0) continue;
      ctx.requireWanted?.();
      cancelled += await cancelGroup(ctx, { contractAddress: input.contractAddress, batchIds: ids });
    }
  }
  const { counts } = await readPayout(ctx, input);
  return { cancelled, counts };
}

/** Soonest due first: these have the least time left. */
const readPending = ({ db }: ServiceContext, key: PayoutKey) =>
  db.sql<{ id: string; pointType: PointType }[]>`
    select b.id, b.point_type as "pointType"
    from ${batchesOf(db, key)} and b.status = 'PENDING'
    order by b.finalize_at, b.seq limit ${CANCELLED_AT_ONCE_MAX}`;
