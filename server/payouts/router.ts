import { contractProcedure, router, staffChange, staffQuery } from "@/server/auth/procedures";
import { toBatchOut } from "@/server/kernel/batch-rows";
import { compiled } from "@/terms/fields";
import { counted } from "@/terms/output-text";
import { cancelPayout } from "./cancel-payout";
import { describePayout, readWithParts } from "./read-payout";
import { releasePayout } from "./release-payout";
import {
  CANCELLED_AT_ONCE_MAX,
  CancelPayoutReply,
  GetPayoutReply,
  PayoutKeyInput,
  ReleasePayoutInput,
} from "./schema";

const ONE_PAYOUT = "/v1/contracts/{contractAddress}/payouts/{payoutId}";
/** Reversals are never part of a payout. */
const NO_REVERSALS = new Map<bigint, never>();

export const payoutsRouter = router({
  get: contractProcedure("batches:read", "Payouts", `GET ${ONE_PAYOUT}`, {
    summary: "Get a payout",
    description:
      "Returns the batches that were submitted with this `payoutId`: how many are in which status, their " +
      "exact sums, and when they are due.",
  })
    .input(PayoutKeyInput)
    .output(compiled(GetPayoutReply))
    .query(async ({ ctx, input }) => {
      const { stored: batchCount, ...payout } = await readWithParts(ctx, input);
      const parts = payout.parts.map((part) => toBatchOut(part, NO_REVERSALS));
      return { payout: { ...payout, batchCount, parts } };
    }),

  cancel: contractProcedure("batches:write", "Payouts", `DELETE ${ONE_PAYOUT}`, {
    summary: "Cancel what is pending of a payout",
    description:
      "Cancels the PENDING batches of the payout, soonest due first, as many as one call has time for and " +
      `${CANCELLED_AT_ONCE_MAX} at most. Repeat the call until \`left\` is 0. Batches that are FINALIZING ` +
      "or FINALIZED stay as they are: the `counts` say how many.",
  })
    .input(PayoutKeyInput)
    .output(CancelPayoutReply)
    .mutation(async ({ ctx, input }) => {
      const { cancelled, counts } = await cancelPayout(ctx, input);
      const left = counts.pending;
      const pending = counted(left, "batch is", "batches are");
      const detail = `${pending} still PENDING. Repeat the call to cancel more.`;
      return { payoutId: input.payoutId, cancelled, left, ...(left > 0 && { detail }), counts };
    }),
});

export const consolePayoutsRouter = router({
  get: staffQuery("viewer", PayoutKeyInput, describePayout),
  release: staffChange("operator", ReleasePayoutInput, releasePayout),
});
