import type { ServiceContext } from "../../kernel/context";
import { type DecideInput, notDecidable } from "./approve-batch";
import { tryCancel } from "./cancel-batch";

/**
 * Rejects a batch as a second person, which cancels it and returns its reserved points.
 * @throws DomainError `batch_not_found`, `not_allowed` to its submitter, `validation_failed` when it awaits no approval
 */
export async function rejectBatch(ctx: ServiceContext, input: DecideInput): Promise<void> {
  if (!(await tryCancel(ctx, input, "batch.reject"))) throw await notDecidable(ctx, input);
}
