import { z } from "zod";
import { contractProcedure, router, staffChange, staffQuery } from "@/server/auth/procedures";
import { toBatchOut, toReversalState, toTimestamp } from "@/server/kernel/batch-rows";
import type { RequestContext, ServiceContext } from "@/server/kernel/context";
import { batchLimits } from "@/server/kernel/settings";
import { afterChange } from "@/server/kernel/to-domain-error";
import { withLabels } from "@/server/recipients/labels";
import type { BatchLimits } from "@/terms/batch-limits";
import {
  BatchKeyInput,
  CancelBatchReply,
  GetBatchReply,
  ListBatchesInput,
  ListBatchesReply,
  ListPaymentsInput,
  ListPaymentsReply,
  PAYMENTS_MAX,
} from "@/terms/batch-schema";
import { compiled, TimestampField } from "@/terms/fields";
import { getBulkJob, startBulk, stopBulk } from "./bulk/jobs";
import { previewBulk } from "./bulk/preview-bulk";
import { BulkJobInput, BulkPreviewInput, bulkStartInput } from "./bulk/schema";
import { workBulk } from "./bulk/work-bulk";
import { approveBatch, rejectBatch } from "./change/approve-batch";
import { cancelBatch } from "./change/cancel-batch";
import { describeCorrection } from "./change/describe-correction";
import { holdBatch, releaseBatch } from "./change/hold-batch";
import {
  BatchFiltersInput,
  ConsoleDecisionInput,
  ConsoleListInput,
  ConsoleRefreshInput,
  type ConsoleTransfer,
  type ReversalOf,
} from "./list/console-schema";
import { countFacets, countNewer, totalBatches } from "./list/count-batches";
import {
  findBatch,
  findList,
  findPayoutId,
  findReversals,
  findTransfers,
  readMetadata,
  readReversed,
} from "./list/get-batch";
import { listBatches } from "./list/list-batches";
import { listConsoleBatches, refreshBatches } from "./list/list-console-batches";
import { describeReversible, dryRunReversal, findTakenBack } from "./reversal/prepare-reversal";
import { reverseBatch } from "./reversal/reverse-batch";
import { describeBatch } from "./review/describe-batch";
import { earlierTotals, reviewBatch, reviewNewBatch } from "./review/review-batch";
import { idOfKey } from "./submit/digest";
import { dryRunSubmit } from "./submit/dry-run-submit";
import { listPayments } from "./submit/references";
import { type SubmittedBatch, submitBatch } from "./submit/submit-batch";
import {
  consoleReverseInput,
  consoleSubmitInput,
  DryRunReply,
  putBatchInput,
  ReversalDryRunReply,
  reverseBatchInput,
  type SubmitBatchInput,
  SubmitBatchReply,
  submitBatchInput,
} from "./submit/submit-schema";

const BATCHES = "/v1/contracts/{contractAddress}/batches";
const ONE_BATCH = `${BATCHES}/{batchId}` as const;

/** The configured limits are part of the schemas, and so of the OpenAPI document. */
export function createBatchesRouter(limits: BatchLimits) {
  const { PHASE2_POINTS, PHASE2_GOLD } = limits.minimumPoints;
  const rules =
    `A batch has up to ${limits.transfersMax} transfers of at least ${PHASE2_POINTS} PHASE2_POINTS ` +
    `or ${PHASE2_GOLD} PHASE2_GOLD each, and is stored completely or not at all.`;
  return router({
    submitIdempotently: contractProcedure("batches:write", "Batches", `PUT ${ONE_BATCH}`, {
      summary: "Submit a batch under your own ID",
      description:
        "Stores the batch and reserves its points. Safe to retry: the same content (digest) returns the " +
        "original reply, and different content returns `batch_id_conflict`, whose `detail` says when only " +
        "the order of the transfers, a `reference`, `metadata` or `secondsToFinalize` differs. " +
        rules,
    })
      .input(compiled(putBatchInput(limits)))
      .output(compiled(z.union([SubmitBatchReply, DryRunReply])))
      .mutation(({ ctx, input: { dryRun, ...batch } }) => submit(ctx, limits, batch, dryRun)),

    submit: contractProcedure("batches:write", "Batches", `POST ${BATCHES}`, {
      summary: "Submit a batch under a generated ID",
      description:
        "Prefer PUT, which is always safe to retry. This call is safe to retry only with an " +
        "`Idempotency-Key`: the same content returns the original reply, and different content returns " +
        "`idempotency_key_reused`. Without one, every call creates a new batch: a request that is sent " +
        `again pays again. Staff can require a key for a contract. ${rules}`,
      repeats: ["Idempotency-Key", "dryRun"],
    })
      .input(compiled(submitBatchInput(limits)))
      .output(compiled(z.union([SubmitBatchReply, DryRunReply])))
      .mutation(async ({ ctx, input: { dryRun, "Idempotency-Key": key, ...batch } }) => {
        const id = key === undefined ? {} : { batchId: idOfKey(batch.contractAddress, key), isKeyed: true };
        return submit(ctx, limits, { ...batch, ...id }, dryRun);
      }),

    reverse: contractProcedure("batches:reverse", "Batches", `POST ${ONE_BATCH}/reversal`, {
      summary: "Take back a finalized batch",
      description:
        "Stores a reversal: a batch of its own that takes back all or some transfers of a FINALIZED batch, " +
        "and reserves their points at the recipients. It waits, can be cancelled and is finalized like any " +
        "other batch, and has taken nothing back before that. A transfer can be taken back once. With a " +
        "`reversalId`, which staff can require for a contract, the call is safe to retry.",
      repeats: ["reversalId", "dryRun"],
    })
      .input(reverseBatchInput(limits))
      .output(z.union([SubmitBatchReply, ReversalDryRunReply]))
      .mutation(async ({ ctx, input: { dryRun, ...input } }) => {
        if (dryRun) return dryRunReversal(ctx, limits, input);
        return submitted(ctx, await reverseBatch(ctx, limits, input));
      }),

    list: contractProcedure("batches:read", "Batches", `GET ${BATCHES}`, {
      summary: "List the batches of a contract",
      description:
        "Returns one page of batches, sorted by creation time. To get the next page, repeat the request " +
        "with the `cursor` of the reply; null means that this is the last page. A page may be empty: " +
        "continue while `cursor` is not null.",
    })
      .input(compiled(ListBatchesInput))
      .output(compiled(ListBatchesReply))
      .query(async ({ ctx, input: { status, include, ...query } }) => {
        const page = await listBatches(ctx, { ...query, statuses: status && [status] });
        const [reversed, metadata] = await Promise.all([
          readReversed(ctx, page.rows),
          readMetadata(ctx, include ? page.rows : []),
        ]);
        const batch = page.rows.map((row) => toBatchOut(row, reversed, metadata.get(BigInt(row.seq))));
        return { batch, cursor: page.cursor };
      }),

    get: contractProcedure("batches:read", "Batches", `GET ${ONE_BATCH}`, {
      summary: "Retrieve a batch with its transfers",
      description:
        "Returns the batch, its digest and all its transfers in the order sent. " +
        "To watch for changes, poll with `If-None-Match`.",
    })
      .input(BatchKeyInput)
      .output(compiled(GetBatchReply))
      .query(async ({ ctx, input }) => {
        const batch = await findBatch(ctx, input.contractAddress, input.batchId);
        const [transfers, metadata, reversed, reversals, payoutId] = await Promise.all([
          findTransfers(ctx, batch),
          readMetadata(ctx, [batch]),
          readReversed(ctx, [batch]),
          findReversals(ctx, batch),
          findPayoutId(ctx, batch),
        ]);
        return {
          batch: {
            ...toBatchOut(batch, reversed, metadata.get(batch.seq)),
            ...listedReversals(reversals),
            ...(batch.status === "PENDING" && batch.awaitsApproval && { awaitingApproval: true as const }),
            ...(payoutId !== undefined && { payoutId }),
            digest: batch.digest.toString("hex"),
            transfers,
          },
        };
      }),

    payments: contractProcedure("batches:read", "Batches", "GET /v1/contracts/{contractAddress}/transfers", {
      summary: "Find what paid a reference",
      description:
        "Returns the transfers with this `reference`, also those that were cancelled or taken back: " +
        `the newest ${PAYMENTS_MAX}. None if it was never paid.`,
    })
      .input(ListPaymentsInput)
      .output(ListPaymentsReply)
      .query(async ({ ctx, input }) => ({ transfers: await listPayments(ctx, input) })),

    cancel: contractProcedure("batches:write", "Batches", `DELETE ${ONE_BATCH}`, {
      summary: "Cancel a pending batch",
      description:
        "Cancels a PENDING batch and returns its reserved points. " +
        "A batch that is FINALIZING, FINALIZED or CANCELLED returns `not_cancellable`.",
    })
      .input(BatchKeyInput)
      .output(CancelBatchReply)
      .mutation(({ ctx, input }) => cancelBatch(ctx, input)),
  });
}

type Replying = Pick<RequestContext, "replyHeaders">;

async function submit(
  ctx: ServiceContext & Replying,
  limits: BatchLimits,
  batch: SubmitBatchInput,
  dryRun?: boolean,
) {
  if (dryRun) return dryRunSubmit(ctx, limits, batch);
  return submitted(ctx, await submitBatch(ctx, limits, batch));
}

function submitted({ replyHeaders }: Replying, { batchId, replayed }: SubmittedBatch) {
  if (replayed) replyHeaders.set("Idempotent-Replayed", "true");
  return { batchId, replayed };
}

function listedReversals(all: readonly ReversalOf[]) {
  const reversals = all
    .filter(({ status }) => status !== "CANCELLED")
    .map(({ id, status, points, finalizeAt, updatedAt, awaitsApproval }) => ({
      ...{ id, status, points, finalizeAt, updatedAt },
      ...(awaitsApproval && { awaitingApproval: true as const }),
    }));
  return reversals.length > 0 ? { reversedBy: reversals.map(({ id }) => id), reversals } : {};
}

const NewerInput = BatchFiltersInput.extend({
  newerThan: z.strictObject({ createdAt: TimestampField }).nullable(),
});

// The configured limits are part of these schemas, which are therefore made on first use.
const ConsoleSubmitInput = compiled(z.lazy(() => consoleSubmitInput(batchLimits())));
const BulkStartInput = compiled(z.lazy(() => bulkStartInput(batchLimits())));
const ConsoleReverseInput = compiled(z.lazy(() => consoleReverseInput(batchLimits())));

export const consoleBatchesRouter = router({
  list: staffQuery("viewer", ConsoleListInput, listConsoleBatches),
  newer: staffQuery("viewer", NewerInput, async (ctx, { newerThan, ...filters }) => ({
    count: await countNewer(ctx, filters, newerThan),
  })),
  facets: staffQuery("viewer", BatchFiltersInput, countFacets, "long"),
  totals: staffQuery("viewer", BatchFiltersInput, totalBatches, "long"),
  refresh: staffQuery("viewer", ConsoleRefreshInput, (ctx, input) => refreshBatches(ctx, input.keys)),
  get: staffQuery("viewer", BatchKeyInput, describeBatch),
  transfers: staffQuery("viewer", BatchKeyInput, async (ctx, input): Promise<ConsoleTransfer[]> => {
    const batch = await findBatch(ctx, input.contractAddress, input.batchId);
    const [transfers, takenBack] = await Promise.all([
      findTransfers(ctx, batch).then((found) => withLabels(ctx.db, found)),
      findTakenBack(ctx.db, batch),
    ]);
    return transfers.map((transfer, position) => {
      return { position, ...transfer, takenBackBy: takenBack.get(transfer.toAddress)?.id };
    });
  }),
  submit: staffChange("operator", ConsoleSubmitInput, async (ctx, input) => {
    const submitted = await submitBatch(ctx, ctx.limits, input);
    const stored = findBatch(ctx, input.contractAddress, submitted.batchId);
    const { finalizeAt } = await afterChange(stored);
    return { ...submitted, finalizeAt: toTimestamp(finalizeAt) };
  }),
  tryOut: staffChange("operator", ConsoleSubmitInput, async (ctx, input) => {
    const dryRun = await dryRunSubmit(ctx, ctx.limits, input);
    const [stored] = dryRun.replayed ? (await refreshBatches(ctx, [input])).batches : [];
    if (!stored) return { ...dryRun, review: await reviewNewBatch(ctx, input, dryRun), stored: null };
    return { ...dryRun, review: null, stored: { ...stored, ...(await findList(ctx, input, [stored])) } };
  }),
  reversible: staffQuery("operator", BatchKeyInput, (ctx, input) =>
    describeReversible(ctx, ctx.limits, input),
  ),
  reverse: staffChange("operator", ConsoleReverseInput, async (ctx, input) => {
    const { batchId } = await reverseBatch(ctx, ctx.limits, input);
    return toReversalState(await afterChange(findBatch(ctx, input.contractAddress, batchId)));
  }),
  cancel: staffChange("operator", ConsoleDecisionInput, cancelBatch),
  hold: staffChange("operator", ConsoleDecisionInput, holdBatch),
  release: staffChange("operator", ConsoleDecisionInput, releaseBatch),
  approve: staffChange("operator", ConsoleDecisionInput, approveBatch),
  reject: staffChange("operator", ConsoleDecisionInput, rejectBatch),
  correction: staffQuery("operator", BatchKeyInput, describeCorrection),
  review: staffQuery("viewer", BatchKeyInput, reviewBatch, "long"),
  earlierTotals: staffQuery("viewer", BatchKeyInput, earlierTotals),
});

/** How long one call of an open page works on a job. Short, since a person's other long calls wait for it. */
const PAGE_SECONDS = 0.5;

/** Holds, releases, cancels and take backs of many batches in the console. */
export const consoleBulkRouter = router({
  preview: staffChange("operator", BulkPreviewInput, previewBulk, "long"),
  start: staffChange("operator", BulkStartInput, startBulk),
  stop: staffChange("operator", BulkJobInput, stopBulk),
  /** Works on a job if no worker does: an open page continues it where the finalizer runs once a minute. */
  work: staffChange(
    "operator",
    BulkJobInput,
    async (ctx, { jobId }) => ({ changed: await workBulk(ctx.db, { budgetSeconds: PAGE_SECONDS, jobId }) }),
    "long",
  ),
  get: staffQuery("viewer", BulkJobInput, getBulkJob),
});
