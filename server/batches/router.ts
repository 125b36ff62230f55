import { z } from "zod";
import { contractProcedure, router } from "../trpc/procedures";
import { cancelBatch } from "./cancel-batch";
import { findBatch, findTransfers } from "./get-batch";
import type { BatchLimits } from "./limits";
import { listBatches } from "./list-batches";
import { toBatchOut } from "./rows";
import {
  BatchKeyInput,
  DryRunReply,
  GetBatchReply,
  ListBatchesInput,
  ListBatchesReply,
  putBatchInput,
  SubmitBatchReply,
  submitBatchInput,
} from "./schema";
import { submitBatch } from "./submit-batch";
import { trySubmit } from "./try-submit";

const BATCHES = "/v1/contracts/{contractAddress}/batches";
const ONE_BATCH = `${BATCHES}/{batchId}` as const;
const tags = ["Batches"];

/** The batch operations of `/v1`; the limits stand in their schemas, and so in the OpenAPI document. */
export function createBatchesRouter(limits: BatchLimits) {
  return router({
    submit: contractProcedure("batches:write")
      .meta({ openapi: { method: "POST", path: BATCHES, tags, summary: "Submit a batch of transfers" } })
      .input(submitBatchInput(limits))
      .output(z.union([SubmitBatchReply, DryRunReply]))
      .mutation(async ({ ctx, input: { dryRun, ...input } }) => {
        if (dryRun) return trySubmit(ctx, limits, input);
        const { batchId } = await submitBatch(ctx, limits, input);
        return { success: true as const, batchId };
      }),

    submitIdempotently: contractProcedure("batches:write")
      .meta({
        openapi: { method: "PUT", path: ONE_BATCH, tags, summary: "Submit a batch under an id of your own" },
      })
      .input(putBatchInput(limits))
      .output(z.union([SubmitBatchReply, DryRunReply]))
      .mutation(async ({ ctx, input: { dryRun, ...input } }) => {
        if (dryRun) return trySubmit(ctx, limits, input);
        const { batchId, replayed } = await submitBatch(ctx, limits, input);
        if (replayed) ctx.replyHeaders.set("Idempotent-Replayed", "true");
        return { success: true as const, batchId };
      }),

    list: contractProcedure("batches:read")
      .meta({ openapi: { method: "GET", path: BATCHES, tags, summary: "List the batches of a contract" } })
      .input(ListBatchesInput)
      .output(ListBatchesReply)
      .query(async ({ ctx, input: { status, ...query } }) => {
        const page = await listBatches(ctx, { ...query, statuses: status && [status] });
        return { success: true as const, batch: page.rows.map(toBatchOut), cursor: page.cursor };
      }),

    get: contractProcedure("batches:read")
      .meta({
        openapi: { method: "GET", path: ONE_BATCH, tags, summary: "Get one batch with its transfers" },
      })
      .input(BatchKeyInput)
      .output(GetBatchReply)
      .query(async ({ ctx, input }) => {
        const batch = await findBatch(ctx, input.contractAddress, input.batchId);
        const transfers = await findTransfers(ctx, batch);
        return {
          success: true as const,
          batch: { ...toBatchOut(batch), digest: batch.digest.toString("hex"), transfers },
        };
      }),

    cancel: contractProcedure("batches:write")
      .meta({
        openapi: { method: "DELETE", path: ONE_BATCH, tags, summary: "Cancel a batch while it is PENDING" },
      })
      .input(BatchKeyInput)
      .output(SubmitBatchReply)
      .mutation(async ({ ctx, input }) => ({ success: true as const, ...(await cancelBatch(ctx, input)) })),
  });
}
