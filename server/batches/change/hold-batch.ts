import type { Fragment } from "postgres";
import { auditPersonChange } from "@/server/audit/audit-person-change";
import { findBatch, type StoredBatch } from "@/server/batches/list/get-batch";
import { addressToBytes } from "@/server/kernel/address-bytes";
import { announce } from "@/server/kernel/announce";
import type { ServiceContext } from "@/server/kernel/context";
import { invalid } from "@/server/kernel/to-domain-error";
import type { BatchKey } from "@/terms/batch-schema";
import type { DomainError } from "@/terms/problems";
import { auditedItems, type GroupInput, isLocked, lockBatches, recordItems } from "./job-item";
import { lastDecision } from "./last-decision";

export interface HoldInput extends BatchKey {
  reason: string;
}

/**
 * Puts a PENDING batch on hold: it is not finalized, even when due, until it is released. The release of its
 * payout leaves it on hold.
 * @throws DomainError `batch_not_found`, `validation_failed` when it is already on hold or no longer PENDING
 */
export async function holdBatch(ctx: ServiceContext, { batchId, ...input }: HoldInput): Promise<void> {
  const held = await holdGroup(ctx, { ...input, batchIds: [batchId] });
  if (held === 0) throw await notChanged(ctx, { ...input, batchId }, () => "The batch is already on hold.");
}

/**
 * Releases a batch that a person put on hold. It is finalized when due, which may be immediately. One that
 * waits for its payout is released with it only (server/payouts/release-payout.ts).
 * @throws DomainError `batch_not_found`; `validation_failed` if it is not on hold, not PENDING, or waits
 */
export async function releaseBatch(ctx: ServiceContext, { batchId, ...input }: HoldInput): Promise<void> {
  const released = await releaseGroup(ctx, { ...input, batchIds: [batchId] });
  const waits = "The batch waits for its payout. It can be released once the payout is.";
  if (released === 0)
    throw await notChanged(ctx, { ...input, batchId }, (batch) =>
      batch.heldForPayout ? waits : "The batch is not on hold.",
    );
}

/** Puts those of a contract's batches on hold that are PENDING and are not. @returns how many these were */
export const holdGroup = (ctx: ServiceContext, input: GroupInput): Promise<number> =>
  changeGroup(ctx, input, {
    action: "batch.hold",
    event: "batch.held",
    where: ctx.db.sql`(held_at is null or held_for_payout and not held_apart)`,
    set: ctx.db.sql`held_at = moment.at, held_by = ${ctx.actor}, hold_reason = ${input.reason ?? null},
      held_apart = held_for_payout`,
  });

/** Releases those of a contract's batches that a person put on hold. @returns how many these were */
export const releaseGroup = (ctx: ServiceContext, input: GroupInput): Promise<number> =>
  changeGroup(ctx, input, {
    action: "batch.release",
    event: "batch.released",
    where: ctx.db.sql`held_at is not null and not held_for_payout`,
    set: ctx.db.sql`held_at = null, held_by = null, hold_reason = null`,
  });

interface GroupChange {
  action: "batch.hold" | "batch.release" | "batch.approve";
  /** For the endpoints of the contract. */
  event?: "batch.held" | "batch.released";
  /** Which PENDING batches it changes, and how, at `moment.at`. */
  where: Fragment;
  set: Fragment;
}

/**
 * Changes those of a contract's batches that may be, with their audit rows, events and items of a job, in one
 * statement. @returns how many these were
 */
// The time comes from a separate CTE, since Citus accepts no volatile function in an UPDATE or its RETURNING.
export async function changeGroup(
  ctx: ServiceContext,
  input: GroupInput,
  { action, event, where, set }: GroupChange,
): Promise<number> {
  const contract = addressToBytes(input.contractAddress);
  const { contractAddress, reason = null, items } = input;
  const detail = { reason, ...auditedItems(items) };
  const canChange = ctx.db.sql`status = 'PENDING' and ${where}`;
  const audit = { contractAddress, batchId: ctx.db.sql`id`, action, detail, changed: "changed" };
  const changed = await ctx.db.sql`
    with ${lockBatches(ctx.db, input, canChange)}, moment as materialized (
      select clock_timestamp() as at
    ), changed as (
      update batches set ${set}
      from moment
      where contract_address = ${contract} and ${isLocked(ctx.db, input)} and ${canChange}
      returning contract_address, id, seq, moment.at
    )
    ${event ? announce(ctx.db, event, "changed", [contract]) : ctx.db.sql``}
    ${auditPersonChange(ctx, audit)}
    ${recordItems(ctx.db, items, "changed")}
    select 1 from changed`;
  return changed.length;
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
