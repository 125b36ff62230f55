import { Flag } from "lucide-react";
import { whyUnusual } from "@/app/(console)/batches/batch/finding-words";
import type { BatchReview } from "@/server/batches/list/findings";
import { classNames } from "../../ui/class-names";

export const UNUSUAL_ICON = Flag;

/** The levels of a review, in the same words as its findings. */
export const UNUSUAL_LABELS = { unusual: "Unusual", alarming: "Very unusual" } as const;

/**
 * Marks a batch whose review found something unusual; the tooltip says what. Nothing for other batches.
 * @param props.wordOnly where there is no space for the icon
 */
export function UnusualMark({
  review,
  wordOnly = false,
}: {
  review: BatchReview | null;
  wordOnly?: boolean;
}) {
  if (review?.level !== "unusual" && review?.level !== "alarming") return null;
  return (
    <span
      title={whyUnusual(review)}
      className={classNames(
        "min-w-0 items-center gap-1 truncate whitespace-nowrap font-medium text-label",
        wordOnly ? "inline-block" : "inline-flex shrink-0",
        review.level === "alarming" ? "text-danger" : "text-overdue",
      )}
    >
      {!wordOnly && <UNUSUAL_ICON aria-hidden size={13} strokeWidth={2.25} className="shrink-0" />}
      <span>{UNUSUAL_LABELS[review.level]}</span>
    </span>
  );
}
