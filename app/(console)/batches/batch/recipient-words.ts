import type { BatchReview } from "@/server/batches/review/review-batch";
import { formatAmount } from "../../../ui/amount";

export function recipientSummary({
  total,
  new: fresh,
  percent,
}: Omit<BatchReview["recipients"], "level">): string {
  if (total === 1)
    return fresh === 1
      ? "The recipient is new to this contract."
      : "This contract has paid the recipient before.";
  const all = formatAmount(String(total));
  if (fresh === 0) return `This contract has paid all ${all} recipients before.`;
  if (fresh === total) return `All ${all} recipients are new to this contract.`;
  return `${formatAmount(String(fresh))} of ${all} recipients (${percent < 1 ? "less than 1" : percent}%) ${fresh === 1 ? "is" : "are"} new to this contract.`;
}
