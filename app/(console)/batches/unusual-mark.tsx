import { Flag } from "lucide-react";
import type { BatchReview } from "@/server/batches/list/findings";
import { classNames } from "../../ui/class-names";
import { whyUnusual } from "./batch/finding-words";

export const UNUSUAL_ICON = Flag;

/** The levels of a review, in the same words as its findings. */
export const UNUSUAL_LABELS = { unusual: "Unusual", alarming: "Very unusual" } as const;

/**
 * Marks a batch whose review found something unusual; the tooltip says what. Nothing for other batches.
 * @param compact only the icon, where there is no space for the word
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
      <UNUSUAL_ICON aria-hidden size={13} strokeWidth={2.25} className="shrink-0" />
      <span className={classNames(compact && "sr-only")}>{UNUSUAL_LABELS[review.level]}</span>
    </span>
  );
}
