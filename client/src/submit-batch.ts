import { InvalidArgument } from "./client-error.ts";
import type { Reply } from "./exchange.ts";
import { BATCH_PATH, BATCHES_PATH, pathTo } from "./paths.ts";
import { sendOperation } from "./send-operation.ts";
import type { DryRun, NewBatch, SubmittedBatch } from "./shapes.ts";
import { type CallOptions, type ClientContext, contractOf } from "./transport.ts";

export interface SubmitOptions extends CallOptions {
  /** Your own id. The same batch under it is stored once, however often it is sent. A UUID when absent. */
  batchId?: string;
  /** A key of your own in place of an id: 1 to 255 printable ASCII characters. It never expires. */
  idempotencyKey?: string;
}

/**
 * Submits a batch under an id or a key, so that a retry is safe.
 * @throws ApiProblem `validation_failed`, `insufficient_points`, `batch_id_conflict`,
 * `idempotency_key_reused`, `batch_cancelled`, `reference_already_paid`, …; ConnectionFailure,
 * UnexpectedReply. Each has the `batchId`, under which to repeat the submit if `outcomeUnknown`; with a key,
 * repeat it with the key.
 */
export async function submitBatch(
  ctx: ClientContext,
  batch: NewBatch,
  options: SubmitOptions = {},
): Promise<SubmittedBatch> {
  const batchId = options.batchId ?? (options.idempotencyKey === undefined ? newBatchId() : undefined);
  const reply = await sendOperation(ctx.transport, {
    ...placeOf(ctx, options, batchId),
    body: batch,
    member: "batchId",
    changes: true,
    signal: options.signal,
  });
  return submittedBatch(reply);
}

/** A service of an earlier version says only in the header whether it was stored before. */
export function submittedBatch({ headers, body }: Reply): SubmittedBatch {
  const { replayed = headers.get("Idempotent-Replayed") === "true", ...reply } = body as SubmittedBatch;
  return { ...reply, replayed };
}

/**
 * Returns what submitting the batch would do, and stores nothing. With a `batchId` or a key it also checks
 * whether that is free.
 * @throws ApiProblem like the submit, with every invalid row in its `errors`; ConnectionFailure,
 * UnexpectedReply
 */
export async function dryRunBatch(
  ctx: ClientContext,
  batch: NewBatch,
  options: SubmitOptions = {},
): Promise<DryRun> {
  const { body } = await sendOperation(ctx.transport, {
    ...placeOf(ctx, options, options.batchId),
    query: { dryRun: true },
    body: batch,
    member: "dryRun",
    signal: options.signal,
  });
  return body as unknown as DryRun;
}

const IDEMPOTENCY_KEY = /^[ -~]{1,255}$/;

function placeOf(ctx: ClientContext, options: SubmitOptions, batchId: string | undefined) {
  const contractAddress = contractOf(ctx, options);
  const { idempotencyKey: key } = options;
  if (key !== undefined && (batchId !== undefined || !IDEMPOTENCY_KEY.test(key)))
    throw new InvalidArgument(
      "An idempotencyKey takes the place of a batchId, and has 1 to 255 printable ASCII characters.",
    );
  if (batchId !== undefined)
    return { method: "PUT" as const, path: pathTo(BATCH_PATH, { contractAddress, batchId }), batchId };
  const headers: Record<string, string> = key === undefined ? {} : { "Idempotency-Key": key };
  const path = pathTo(BATCHES_PATH, { contractAddress });
  // With a key, or without one as a dry run.
  return { method: "POST" as const, path, headers, repeat: "always" as const };
}

export function newBatchId(): string {
  if (!globalThis.crypto?.randomUUID)
    throw new InvalidArgument("Set a batchId: a page not served over https cannot generate a UUID.");
  return crypto.randomUUID();
}
