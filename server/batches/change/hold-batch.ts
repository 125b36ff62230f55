import { auditPersonChange } from "@/server/audit/audit-person-change";
import { findBatch, type StoredBatch } from "@/server/batches/list/get-batch";
import { addressToBytes } from "@/server/kernel/address-bytes";
import { announce } from "@/server/kernel/announce";
import type { ServiceContext } from "@/server/kernel/context";
import { invalid } from "@/server/kernel/to-domain-error";
import type { BatchKey } from "@/terms/batch-schema";
import type { DomainError } from "@/terms/problems";
import { auditedItem, type JobItem, openItem, recordItem, whenOpen } from "./job-item";
import { lastDecision } from "./last-decision";

export interface HoldInput extends BatchKey {
  reason: string;
  /** The item of a bulk job. The batch is changed only if the item is still to be done. */
  item?: JobItem;
}

// The time comes from a separate CTE, since Citus accepts no volatile function in an UPDATE or its RETURNING.

/**
 * Puts a PENDING batch on hold: it is not finalized, even when due, until it is released. The release of its
 * payout leaves it on hold.
 * @throws DomainError `batch_not_found`, `validation_failed` when it is already on hold or no longer PENDING
 */
export async function holdBatch(ctx: ServiceContext, input: HoldInput): Promise<void> {
  const contract = addressToBytes(input.contractAddress);
  const detail = { reason: input.reason, ...auditedItem(input.item) };
  const held = await ctx.db.sql`
    with ${openItem(ctx.db, input.item)} moment as materialized (select clock_timestamp() as at), held as (
      update batches set held_at = moment.at, held_by = ${ctx.actor}, hold_reason = ${input.reason},
        held_apart = held_for_payout
      from moment ${whenOpen(ctx.db, input.item, ",")}
      where contract_address = ${contract} and id = ${input.batchId}
        and status = 'PENDING' and (held_at is null or held_for_payout and not held_apart)
      returning contract_address, seq, held_at as at
    )
    ${announce(ctx.db, "batch.held", "held", [contract])}
    ${auditPersonChange(ctx, { ...input, action: "batch.hold", detail, changed: "held" })}
    ${recordItem(ctx.db, input.item, "held")}
    select 1 from held`;
  if (held.length === 0) throw await notChanged(ctx, input, () => "The batch is already on hold.");
}

/**
 * Releases a batch that a person put on hold. It is finalized when due, which may be immediately. One that
 * waits for its payout is released with it only (server/payouts/release-payout.ts).
 * @throws DomainError `batch_not_found`; `validation_failed` if it is not on hold, not PENDING, or waits
 */
export async function releaseBatch(ctx: ServiceContext, input: HoldInput): Promise<void> {
  const contract = addressToBytes(input.contractAddress);
  const detail = { reason: input.reason, ...auditedItem(input.item) };
  const released = await ctx.db.sql`
    with ${openItem(ctx.db, input.item)} moment as materialized (
      select clock_timestamp() as at
    ), released as (
      update batches set held_at = null, held_by = null, hold_reason = null
      from moment ${whenOpen(ctx.db, input.item, ",")}
      where contract_address = ${contract} and id = ${input.batchId}
        and status = 'PENDING' and held_at is not null and not held_for_payout
      returning contract_address, seq, moment.at
    )
    ${announce(ctx.db, "batch.released", "released", [contract])}
    ${auditPersonChange(ctx, { ...input, action: "batch.release", detail, changed: "released" })}
    ${recordItem(ctx.db, input.item, "released")}
    select 1 from released`;
  if (released.length === 0) {
    const waits = "The batch waits for its payout. It can be released once the payout is.";
    throw await notChanged(ctx, input, (batch) =>
      batch.heldForPayout ? waits : "The batch is not on hold.",
    );
  }
}

async function notChanged(
  ctx: ServiceContext,
  input: HoldInput,
  whyPending: (batch: StoredBatch) => string,
): Promise<DomainError> {
  const batch = await findBatch(ctx, input.contractAddress, input.batchId);
  const detail =
    batch.status === "PENDING"
      ? whyPending(batch)
      : `The batch is ${batch.status}. Only a PENDING batch can be put on hold or released.`;
  return invalid(detail + (await lastDecision(ctx, input)));
}
