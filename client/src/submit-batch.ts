import { InvalidArgument } from "./client-error.ts";
import { BATCH_PATH, BATCHES_PATH, pathTo } from "./paths.ts";
import { sendOperation } from "./send-operation.ts";
import type { DryRun, NewBatch, SubmitReply } from "./shapes.ts";
import { type CallOptions, type ClientContext, contractOf } from "./transport.ts";

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
    path: pathTo(BATCH_PATH, { contractAddress: contractOf(ctx, options), batchId }),
    body: batch,
    member: "batchId",
    changes: true,
    batchId,
    signal: options.signal,
  });
  return { ...(body as SubmitReply), replayed: headers.get("Idempotent-Replayed") === "true" };
}

/**
 * Returns what submitting the batch would do, and stores nothing. With a `batchId` it also checks whether the id is free.
 * @throws ApiProblem like the submit, with every invalid row in its `errors`; ConnectionFailure, UnexpectedReply
 */
export async function dryRunBatch(
  ctx: ClientContext,
  batch: NewBatch,
  options: SubmitOptions = {},
): Promise<DryRun> {
  const contractAddress = contractOf(ctx, options);
  const { batchId, signal } = options;
  const { body } = await sendOperation(ctx.transport, {
    ...(batchId === undefined
      ? { method: "POST", path: pathTo(BATCHES_PATH, { contractAddress }) }
      : { method: "PUT", path: pathTo(BATCH_PATH, { contractAddress, batchId }), batchId }),
    query: { dryRun: true },
    body: batch,
    member: "dryRun",
    signal,
  });
  return body as unknown as DryRun;
}

export function newBatchId(): string {
  if (!globalThis.crypto?.randomUUID) {
    throw new InvalidArgument(
      "Set a batchId, because this page is not served over https and cannot generate a UUID.",
    );
  }
  return crypto.randomUUID();
}
