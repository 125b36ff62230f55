import { z } from "zod";
import { BatchIdField, TimestampField } from "../fields";
import { settings } from "../settings";
import { router, staffProcedure } from "../trpc/procedures";
import { cancelBatch } from "./cancel-batch";
import {
  BatchFilters,
  ConsoleDecisionInput,
  ConsoleListInput,
  ConsoleRefreshInput,
  type ConsoleTransfer,
  ConsoleTransfersInput,
} from "./console-schema";
import { countFacets, countNewer } from "./count-batches";
import { describeBatch } from "./describe-batch";
import { findBatch, findTransfers } from "./get-batch";
import { holdBatch, releaseBatch } from "./hold-batch";
import { batchLimits } from "./limits";
import { listConsoleBatches } from "./list-console-batches";
import { refreshBatches } from "./refresh-batches";
import { reviewBatch } from "./review-batch";
import { toTimestamp } from "./rows";
import { submitBatch } from "./submit-batch";
import { consoleSubmitInput } from "./submit-schema";
import { trySubmit } from "./try-submit";

const NewerInput = BatchFilters.extend({
  newerThan: z.strictObject({ createdAt: TimestampField, id: BatchIdField }).nullable(),
  readAt: TimestampField.optional(),
});

let submitInput: ReturnType<typeof consoleSubmitInput> | undefined;

/** The limits stand in the schema, and are known only once the process has its settings. */
function parseSubmit(input: unknown) {
  submitInput ??= consoleSubmitInput(batchLimits(settings()));
  return submitInput.parse(input);
}

/** Batches as staff see them: over all contracts. */
export const consoleBatchesRouter = router({
  list: staffProcedure("viewer")
    .input(ConsoleListInput)
    .query(({ ctx, input }) => listConsoleBatches(ctx, input)),
  newer: staffProcedure("viewer")
    .input(NewerInput)
    .query(async ({ ctx, input: { newerThan, readAt, ...filters } }) => ({
      count: await countNewer(ctx, filters, newerThan, readAt),
    })),
  facets: staffProcedure("viewer")
    .input(BatchFilters)
    .query(({ ctx, input }) => countFacets(ctx, input)),
  refresh: staffProcedure("viewer")
    .input(ConsoleRefreshInput)
    .query(({ ctx, input }) => refreshBatches(ctx, input.keys)),
  get: staffProcedure("viewer")
    .input(ConsoleTransfersInput)
    .query(({ ctx, input }) => describeBatch(ctx, input)),
  transfers: staffProcedure("viewer")
    .input(ConsoleTransfersInput)
    .query(async ({ ctx, input }): Promise<ConsoleTransfer[]> => {
      const rows = await findTransfers(ctx, await findBatch(ctx, input.contractAddress, input.batchId));
      return rows.map((row, position) => ({ position, ...row }));
    }),
  submit: staffProcedure("operator")
    .input(parseSubmit)
    .mutation(async ({ ctx, input }) => {
      const submitted = await submitBatch(ctx, ctx.limits, input);
      const { finalizeAt } = await findBatch(ctx, input.contractAddress, submitted.batchId);
      return { ...submitted, finalizeAt: toTimestamp(finalizeAt) };
    }),
  tryOut: staffProcedure("operator")
    .input(parseSubmit)
    .mutation(({ ctx, input }) => trySubmit(ctx, ctx.limits, input)),
  cancel: staffProcedure("operator")
    .input(ConsoleDecisionInput)
    .mutation(({ ctx, input }) => cancelBatch(ctx, input)),
  hold: staffProcedure("operator")
    .input(ConsoleDecisionInput)
    .mutation(({ ctx, input }) => holdBatch(ctx, input)),
  release: staffProcedure("operator")
    .input(ConsoleDecisionInput)
    .mutation(({ ctx, input }) => releaseBatch(ctx, input)),
  review: staffProcedure("viewer")
    .input(ConsoleTransfersInput)
    .query(({ ctx, input }) => reviewBatch(ctx, input)),
});
