import { z } from "zod";
import { router, staffProcedure } from "../auth/procedures";
import { type BatchLimits, batchLimits } from "../kernel/batch-limits";
import { settings } from "../kernel/settings";
import { toReversalState, toTimestamp } from "../kernel/values/batch-rows";
import { BatchKeyInput } from "../kernel/values/batch-schema";
import { TimestampField } from "../kernel/values/fields";
import { withLabels } from "../recipients/labels";
import { approveBatch, rejectBatch } from "./change/approve-batch";
import { cancelBatch } from "./change/cancel-batch";
import { describeCorrection } from "./change/describe-correction";
import { holdBatch, releaseBatch } from "./change/hold-batch";
import { addNote, deleteNote } from "./change/notes";
import { compareBatches } from "./compare/compare-batches";
import {
  AddNoteInput,
  BatchFilters,
  CompareInput,
  ConsoleDecisionInput,
  ConsoleListInput,
  ConsoleRefreshInput,
  type ConsoleTransfer,
  DeleteNoteInput,
} from "./list/console-schema";
import { countFacets, countNewer, totalBatches } from "./list/count-batches";
import { findBatch, findTransfers } from "./list/get-batch";
import { listConsoleBatches, refreshBatches } from "./list/list-console-batches";
import { describeReversible } from "./reversal/prepare-reversal";
import { consoleReverseInput } from "./reversal/reversal-schema";
import { reverseBatch } from "./reversal/reverse-batch";
import { describeBatch } from "./review/describe-batch";
import { reviewBatch, reviewNewBatch } from "./review/review-batch";
import { dryRunSubmit } from "./submit/dry-run-submit";
import { submitBatch } from "./submit/submit-batch";
import { consoleSubmitInput } from "./submit/submit-schema";

const NewerInput = BatchFilters.extend({
  // Not strict: pages opened before an update also send the ID.
  newerThan: z.object({ createdAt: TimestampField }).nullable(),
  readAt: TimestampField.optional(),
});

/** Parses with a schema that has the configured limits, and so is built on first use. */
function withLimits<Schema extends z.ZodType>(makeSchema: (limits: BatchLimits) => Schema) {
  let schema: Schema | undefined;
  return (input: unknown): z.output<Schema> => {
    schema ??= makeSchema(batchLimits(settings()));
    return schema.parse(input);
  };
}
const parseSubmit = withLimits(consoleSubmitInput);
const parseReverse = withLimits(consoleReverseInput);

const decision = staffProcedure("operator").input(ConsoleDecisionInput);

/** Batches in the console, across all contracts. */
export const consoleBatchesRouter = router({
  list: staffProcedure("viewer")
    .input(ConsoleListInput)
    .query(({ ctx, input }) => listConsoleBatches(ctx, input)),
  newer: staffProcedure("viewer")
    .input(NewerInput)
    .query(async ({ ctx, input: { newerThan, readAt, ...filters } }) => ({
      count: await countNewer(ctx, filters, newerThan, readAt),
    })),
  facets: staffProcedure("viewer", "long")
    .input(BatchFilters)
    .query(({ ctx, input }) => countFacets(ctx, input)),
  totals: staffProcedure("viewer", "long")
    .input(BatchFilters)
    .query(({ ctx, input }) => totalBatches(ctx, input)),
  refresh: staffProcedure("viewer")
    .input(ConsoleRefreshInput)
    .query(({ ctx, input }) => refreshBatches(ctx, input.keys)),
  get: staffProcedure("viewer")
    .input(BatchKeyInput)
    .query(({ ctx, input }) => describeBatch(ctx, input)),
  transfers: staffProcedure("viewer")
    .input(BatchKeyInput)
    .query(async ({ ctx, input }): Promise<ConsoleTransfer[]> => {
      const transfers = await findTransfers(ctx, await findBatch(ctx, input.contractAddress, input.batchId));
      return (await withLabels(ctx.db, transfers)).map((transfer, position) => ({ position, ...transfer }));
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
    .mutation(async ({ ctx, input }) => {
      const dryRun = await dryRunSubmit(ctx, ctx.limits, input);
      return { ...dryRun, review: dryRun.replayed ? null : await reviewNewBatch(ctx, input, dryRun) };
    }),
  reversible: staffProcedure("operator")
    .input(BatchKeyInput)
    .query(({ ctx, input }) => describeReversible(ctx, ctx.limits, input)),
  reverse: staffProcedure("operator")
    .input(parseReverse)
    .mutation(async ({ ctx, input }) => {
      const { batchId } = await reverseBatch(ctx, ctx.limits, input);
      return toReversalState(await findBatch(ctx, input.contractAddress, batchId));
    }),
  cancel: decision.mutation(({ ctx, input }) => cancelBatch(ctx, input)),
  hold: decision.mutation(({ ctx, input }) => holdBatch(ctx, input)),
  release: decision.mutation(({ ctx, input }) => releaseBatch(ctx, input)),
  approve: decision.mutation(({ ctx, input }) => approveBatch(ctx, input)),
  reject: decision.mutation(({ ctx, input }) => rejectBatch(ctx, input)),
  correction: staffProcedure("operator")
    .input(BatchKeyInput)
    .query(({ ctx, input }) => describeCorrection(ctx, input)),
  addNote: staffProcedure("operator")
    .input(AddNoteInput)
    .mutation(({ ctx, input }) => addNote(ctx, input)),
  deleteNote: staffProcedure("operator")
    .input(DeleteNoteInput)
    .mutation(({ ctx, input }) => deleteNote(ctx, input)),
  compare: staffProcedure("viewer", "long")
    .input(CompareInput)
    .query(({ ctx, input }) => compareBatches(ctx, input)),
  review: staffProcedure("viewer", "long")
    .input(BatchKeyInput)
    .query(({ ctx, input }) => reviewBatch(ctx, input)),
});
