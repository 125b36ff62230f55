import { auditPersonChange } from "@/server/audit/audit-person-change";
import { findBatch, type StoredBatch } from "@/server/batches/list/get-batch";
import { addressToBytes } from "@/server/kernel/address-bytes";
import type { ServiceContext } from "@/server/kernel/context";
import { invalid } from "@/server/kernel/to-domain-error";
import { secondPersonObstacle } from "@/server/staff/second-person";
import type { BatchKey } from "@/terms/batch-schema";
import { DomainError } from "@/terms/problems";
import { cancelGroup } from "./cancel-batch";
import { lastDecision } from "./last-decision";

interface DecideInput extends BatchKey {
  reason: string;
}

/**
 * Approves a batch as a second person. It is finalized when due, which may be immediately. A batch that still
 * waits for its review can be approved too, because a person has looked at it. One that waits for its payout
 * to be released cannot: a rule weighs the whole payout then.
 * @throws DomainError `batch_not_found`, `not_allowed` to its submitter, `validation_failed` when it awaits
 * no approval
 */
export async function approveBatch(ctx: ServiceContext, input: DecideInput): Promise<void> {
  await requireSecondPerson(ctx, input);
  const contract = addressToBytes(input.contractAddress);
  const detail = { reason: input.reason };
  const approved = await ctx.db.sql`
    with moment as materialized (select clock_timestamp() as at), approved as (
      update batches set awaits_approval = false, approved_at = moment.at, approved_by = ${ctx.actor}
      from moment
      where contract_address = ${contract} and id = ${input.batchId}
        and status = 'PENDING' and awaits_approval and not held_for_payout
        and submitted_by <> ${ctx.actor}
        and token_created_by is distinct from ${ctx.actor}
      returning 1
    )
    ${auditPersonChange(ctx, { ...input, action: "batch.approve", detail, changed: "approved" })}
    select 1 from approved`;
  if (approved.length === 0) throw await notDecidable(ctx, input);
}

/**
 * Rejects a batch, which cancels it. @throws DomainError `batch_not_found`, `not_allowed` to its submitter,
 * `validation_failed` when it awaits no approval
 */
export async function rejectBatch(ctx: ServiceContext, input: DecideInput): Promise<void> {
  await requireSecondPerson(ctx, input);
  const { batchId, ...group } = input;
  const rejected = await cancelGroup(ctx, { ...group, batchIds: [batchId] }, "batch.reject");
  if (rejected === 0) throw await notDecidable(ctx, input);
}

/** @throws DomainError `batch_not_found`, `not_allowed`, `validation_failed` when it awaits no approval */
async function requireSecondPerson(ctx: ServiceContext, input: BatchKey): Promise<void> {
  const batch = await findBatch(ctx, input.contractAddress, input.batchId);
  if (batch.status !== "PENDING" || !batch.awaitsApproval) throw await awaitsNoApproval(ctx, input, batch);
  const obstacle = await decisionObstacle(ctx, batch);
  if (obstacle) throw new DomainError("not_allowed", obstacle);
}

/** Why the caller is no second person for a batch that awaits approval, or undefined. */
export async function decisionObstacle(
  { db, actor }: ServiceContext,
  batch: Pick<StoredBatch, "submittedBy" | "tokenCreatedBy" | "heldForPayout">,
): Promise<string | undefined> {
  const { submittedBy, tokenCreatedBy, heldForPayout } = batch;
  if (heldForPayout) return "The batch waits for its payout. It can be approved once the payout is released.";
  if (submittedBy === actor) return "You submitted this batch. Another person must approve or reject it.";
  if (tokenCreatedBy === actor)
    return (
      "You created the access token that submitted this batch. " + "Another person must approve or reject it."
    );
  return await secondPersonObstacle(db.sql, actor, tokenCreatedBy ?? submittedBy);
}

async function awaitsNoApproval(ctx: ServiceContext, input: BatchKey, { status }: StoredBatch) {
  const state = status === "PENDING" ? "The batch" : `The batch is ${status}. It`;
  return invalid(`${state} does not await approval.${await lastDecision(ctx, input)}`);
}

async function notDecidable(ctx: ServiceContext, input: BatchKey): Promise<DomainError> {
  return await awaitsNoApproval(ctx, input, await findBatch(ctx, input.contractAddress, input.batchId));
}
