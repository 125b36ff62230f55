import type { CallOptions, ClientContext } from "./client-context.ts";
import { contractOf } from "./client-context.ts";
import { InvalidArgument } from "./client-error.ts";
import { batchPath } from "./paths.ts";
import { sendOperation } from "./send-operation.ts";
import type { NewBatch, SubmitReply } from "./shapes.ts";

export interface SubmitOptions extends CallOptions {
  /** Your own id. The same batch under the same id is stored once, no matter how often it is sent. A UUID when absent. */
  batchId?: string;
}

export interface SubmittedBatch extends SubmitReply {
  /** Whether the batch was already stored, by an earlier call or an earlier attempt of this one. */
  replayed: boolean;
}

/**
 * Submits a batch under an id, so that a retry is safe.
 * @throws ApiProblem `validation_failed`, `insufficient_points`, `batch_id_conflict`, `batch_cancelled`, …;
 * ConnectionFailure, UnexpectedReply. Each has the `batchId`, under which to repeat the submit if `outcomeUnknown`.
 */
export async function submitBatch(
  ctx: ClientContext,
  batch: NewBatch,
  options: SubmitOptions = {},
): Promise<SubmittedBatch> {
  const batchId = options.batchId ?? newBatchId();
  const { headers, body } = await sendOperation(ctx.transport, {
    method: "PUT",
    path: batchPath(contractOf(ctx, options), batchId),
    body: batch,
    member: "batchId",
    repeat: "always",
    changes: true,
    batchId,
    signal: options.signal,
  });
  return { ...(body as SubmitReply), replayed: headers.get("Idempotent-Replayed") === "true" };
}

export function newBatchId(): string {
  if (!globalThis.crypto?.randomUUID) {
    throw new InvalidArgument(
      "Set a batchId, because this page is not served over https and cannot generate a UUID.",
    );
  }
  return crypto.randomUUID();
}
