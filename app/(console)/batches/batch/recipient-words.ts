import type { BatchReview } from "@/server/batches/review-batch";
import { formatAmount } from "../../../ui/amount";

/** How many of a batch's recipients its contract has paid before. */
export function recipientWords({ total, new: fresh }: BatchReview["recipients"]): string {
  if (total === 1)
    return fresh === 1
      ? "Its recipient is new to this contract."
      : "Its recipient was paid by this contract before.";
  const all = formatAmount(String(total));
  if (fresh === 0) return `All ${all} recipients were paid by this contract before.`;
  if (fresh === total) return `All ${all} recipients are new to this contract.`;
  return `${formatAmount(String(fresh))} of ${all} recipients ${fresh === 1 ? "is" : "are"} new to this contract.`;
}
