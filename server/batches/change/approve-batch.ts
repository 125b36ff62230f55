import { auditPersonChange } from "../../audit/audit-person-change";
import type { ServiceContext } from "../../kernel/context";
import { addressToBytes } from "../../kernel/values/addresses";
import type { BatchKey } from "../../kernel/values/batch-schema";
import { DomainError } from "../../kernel/values/problems";
import { findBatch } from "../list/get-batch";
import { tryCancel } from "./cancel-batch";

interface DecideInput extends BatchKey {
  reason: string;
}

/**
 * Approves a batch as a second person. It is finalized when due, which may be immediately. A batch that still waits for its
 * review can be approved too, because a person has looked at it.
 * @throws DomainError `batch_not_found`, `not_allowed` to its submitter, `validation_failed` when it awaits no approval
 */
export async function approveBatch(ctx: ServiceContext, input: DecideInput): Promise<void> {
  const contract = addressToBytes(input.contractAddress);
  const approved = await ctx.db.sql`
    with moment as materialized (select clock_timestamp() as at), approved as (
      update batches set awaits_approval = false, approved_at = moment.at, approved_by = ${ctx.actor}
      from moment
      where contract_address = ${contract} and id = ${input.batchId}
        and status = 'PENDING' and awaits_approval and submitted_by <> ${ctx.actor}
      returning 1
    )
    ${auditPersonChange(ctx, { ...input, action: "batch.approve", detail: { reason: input.reason }, changed: "approved" })}
    select 1 from approved`;
  if (approved.length === 0) throw await notDecidable(ctx, input);
}

/**
 * Rejects a batch as a second person, which cancels it and returns its reserved points.
 * @throws DomainError `batch_not_found`, `not_allowed` to its submitter, `validation_failed` when it awaits no approval
 */
export async function rejectBatch(ctx: ServiceContext, input: DecideInput): Promise<void> {
  if (!(await tryCancel(ctx, input, "batch.reject"))) throw await notDecidable(ctx, input);
}

/** Why the caller cannot approve or reject a batch. */
async function notDecidable(ctx: ServiceContext, input: BatchKey): Promise<DomainError> {
  const { status, awaitsApproval, submittedBy } = await findBatch(ctx, input.contractAddress, input.batchId);
  if (status === "PENDING" && awaitsApproval && submittedBy === ctx.actor)
    return new DomainError(
      "not_allowed",
      "You submitted this batch. Another person must approve or reject it.",
    );
  const detail =
    status === "PENDING"
      ? "The batch does not await approval."
      : `The batch is ${status}. It does not await approval.`;
  return new DomainError("validation_failed", detail);
}
