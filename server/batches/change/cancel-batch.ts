import { auditPersonChange } from "../../audit/audit-person-change";
import type { ServiceContext } from "../../kernel/context";
import { crashPoint } from "../../kernel/crash-point";
import { announce } from "../../kernel/outbox/announce";
import { addressToBytes } from "../../kernel/values/addresses";
import { toTimestamp } from "../../kernel/values/batch-rows";
import type { BatchKey } from "../../kernel/values/batch-schema";
import { DomainError } from "../../kernel/values/problems";
import { findBatch, type StoredBatch } from "../list/get-batch";
import { auditedItem, type JobItem, openItem, recordItem, whenOpen } from "./job-item";

export interface CancelInput extends BatchKey {
  reason?: string;
  /** The item of a bulk job. The batch is changed only if the item is still to be done. */
  item?: JobItem;
}

/** Maximum attempts when the batch was still being stored at the first attempt. */
const TRIES_MAX = 5;

/**
 * Cancels a PENDING batch and returns its reserved points, in one statement.
 * @throws DomainError `batch_not_found`, `not_cancellable` (with the time of the last change), `unavailable`
 */
export async function cancelBatch(ctx: ServiceContext, input: CancelInput): Promise<{ batchId: string }> {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const isCancelled = await tryCancel(ctx, input);
    crashPoint("after-cancel");
    if (isCancelled) return { batchId: input.batchId };
    const batch = await findBatch(ctx, input.contractAddress, input.batchId);
    // PENDING: its submit committed between the two statements. With a 409 the caller would consider the batch done.
    if (batch.status !== "PENDING") throw notCancellable(batch);
  }
  throw new DomainError("unavailable", "The batch is still being stored and was not cancelled. Retry.", {
    headers: { "Retry-After": "1" },
  });
}

/**
 * `greatest`, since `now()` can be before the creation of a batch that was stored during this statement.
 * @param action a rejection cancels only a batch that awaits approval, and not for its submitter
 */
export async function tryCancel(
  ctx: ServiceContext,
  input: CancelInput,
  action: "batch.cancel" | "batch.reject" = "batch.cancel",
): Promise<boolean> {
  const contract = addressToBytes(input.contractAddress);
  const onlyDecidable =
    action === "batch.reject"
      ? ctx.db.sql`and awaits_approval and submitted_by <> ${ctx.actor}`
      : ctx.db.sql``;
  const cancelled = await ctx.db.sql`
    with ${openItem(ctx.db, input.item)} cancelled as (
      update batches set status = 'CANCELLED', updated_at = greatest(created_at, now()),
        cancelled_at = greatest(created_at, now()), cancelled_by = ${ctx.actor},
        cancel_reason = ${input.reason ?? null}, cancel_request_id = ${ctx.requestId}
      ${whenOpen(ctx.db, input.item)}
      where contract_address = ${contract} and id = ${input.batchId} and status = 'PENDING' ${onlyDecidable}
      returning contract_address, seq, point_type, points, cancelled_at as at
    ), released as (
      update accounts a set pending = a.pending - c.points
      from cancelled c
      where a.address = ${contract} and a.address = c.contract_address and a.point_type = c.point_type
      returning 1
    )
    ${announce(ctx.db, "batch.cancelled", "cancelled", [contract])}
    ${auditPersonChange(ctx, { ...input, action, detail: { reason: input.reason ?? null, ...auditedItem(input.item) }, changed: "cancelled" })}
    ${recordItem(ctx.db, input.item, "released")}
    select count(*)::int as count from released having count(*) = 1`;
  return cancelled.length === 1;
}

function notCancellable(batch: StoredBatch): DomainError {
  const since = toTimestamp(stateSince(batch));
  return new DomainError("not_cancellable", `The batch has been ${batch.status} since ${since}.`, {
    extra: { batchStatus: batch.status, since },
  });
}

function stateSince(batch: StoredBatch): Date {
  return batch.finalizedAt ?? batch.cancelledAt ?? batch.claimedAt ?? batch.createdAt;
}
