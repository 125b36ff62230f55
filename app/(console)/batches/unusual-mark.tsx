"use client";

import { Flag } from "lucide-react";
import { formatAmount, formatCount } from "@/app/ui/amount";
import { classNames } from "@/app/ui/class-names";
import { type BatchReview, type ComparedAmount, isOdd, repeatWords } from "@/server/batches/list/findings";

export function recipientSummary({
  total,
  new: fresh,
  percent,
}: Omit<BatchReview["recipients"], "level">): string {
  if (total === 1)
    return fresh === 1
      ? "The recipient is new to this contract."
      : "This contract has paid the recipient before.";
  const all = formatCount(total);
  if (fresh === 0) return `This contract has paid all ${all} recipients before.`;
  if (fresh === total) return `All ${all} recipients are new to this contract.`;
  return `${formatCount(fresh)} of ${all} recipients (${percent < 1 ? "less than 1" : percent}%) ${fresh === 1 ? "is" : "are"} new to this contract.`;
}

export const shareSummary = ({ percent }: { percent: number }): string =>
  `It uses ${percent}% of the balance that the contract had available.`;

export function amountSummary(
  what: string,
  { points, usual, times, level, isRecord }: ComparedAmount,
): string {
  const is = `${what} is ${formatAmount(points)}`;
  if (isOdd(level)) return `${is}, ${times} times the usual.`;
  if (level === "expected") return `${is}, as usual.`;
  return usual ? `${is}, ${isRecord ? "larger than ever before" : "larger than usual"}.` : `${is}.`;
}

export function whyUnusual({ repeats, total, largestTransfer, recipients, share }: BatchReview): string {
  const cancelled =
    repeats.batches.find(({ isCorrected }) => isCorrected) ??
    repeats.batches.find(({ status }) => status === "CANCELLED");
  const first = cancelled ?? repeats.batches[0];
  const words = first && repeatWords(first, recipients.total);
  const findings: (false | null | string | undefined)[] = [
    isOdd(repeats.level) &&
      words &&
      `${words.before}${cancelled ? "the cancelled batch " : ""}${first.id}${words.after}${first.isCorrected ? ", which it corrects" : ""}.`,
    isOdd(total.level) && amountSummary("The total", total),
    isOdd(largestTransfer.level) && amountSummary("The largest transfer", largestTransfer),
    isOdd(recipients.level) && recipientSummary(recipients),
    share && isOdd(share.level) && shareSummary(share),
  ];
  return findings.filter(Boolean).join(" ");
}

/** The levels of a review, in the same words as its findings. */
export const UNUSUAL_LABELS = { unusual: "Unusual", alarming: "Very unusual" } as const;

/**
 * Marks a batch whose review found something unusual; the tooltip says what. Nothing for other batches.
 * @param props.compact where there is no space for both: the word on wide screens, else the icon
 */
export function UnusualMark({ review, compact = false }: { review: BatchReview | null; compact?: boolean }) {
  if (review?.level !== "unusual" && review?.level !== "alarming") return null;
  return (
    <span
      title={whyUnusual(review)}
      className={classNames(
        "inline-flex shrink-0 items-center gap-1 whitespace-nowrap font-medium text-label",
        review.level === "alarming" ? "text-danger" : "text-overdue",
      )}
    >
      <Flag
        aria-hidden
        size={13}
        strokeWidth={2.25}
        className={classNames("shrink-0", compact && "xl:hidden")}
      />
      <span className={compact ? "max-xl:sr-only" : undefined}>{UNUSUAL_LABELS[review.level]}</span>
    </span>
  );
}
