import { type ClientContext, contractOf } from "./client-context.ts";
import { batchesPath, batchPath } from "./paths.ts";
import { sendOperation } from "./send-operation.ts";
import type { DryRun, NewBatch } from "./shapes.ts";
import type { SubmitOptions } from "./submit-batch.ts";

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
  const { body } = await sendOperation(ctx.transport, {
    ...(options.batchId === undefined
      ? { method: "POST", path: batchesPath(contractAddress) }
      : { method: "PUT", path: batchPath(contractAddress, options.batchId), batchId: options.batchId }),
    query: { dryRun: true },
    body: batch,
    member: "dryRun",
    repeat: "always",
    changes: false,
    signal: options.signal,
  });
  return body as unknown as DryRun;
}
