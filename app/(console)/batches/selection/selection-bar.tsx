"use client";
import { X } from "lucide-react";
import { formatCount } from "@/app/ui/amount";
import { Button } from "@/app/ui/button";
import { BULK_CHOSEN_MAX } from "@/server/batches/list/filters";
import { BulkButtons } from "./bulk-buttons";
import type { Selection } from "./use-selection";

interface SelectionBarProps {
  selection: Selection;
  /** How many batches match the filters; null if unknown. */
  matching: number | null;
  hasMore: boolean;
}

/** Below the list, so that rows keep their place. */
export function SelectionBar({ selection, matching, hasMore }: SelectionBarProps) {
  const { count, all, selectAll, clear, chosen } = selection;
  const tooMany = !all && count > BULK_CHOSEN_MAX;
  const words = all
    ? matching === null
      ? "All batches that match are selected"
      : `All ${formatCount(matching)} that match are selected`
    : `${formatCount(count)} selected`;
  return (
    <section
      aria-label="Selection"
      className="flex flex-wrap items-center gap-x-3 gap-y-2 border-line border-t bg-raised px-4 py-2 md:px-6"
    >
      <span role="status" className="font-medium text-table tabular-nums">
        {words}
      </span>
      {!all && hasMore && (
        <Button size="small" variant="ghost" onClick={selectAll} className="text-accent!">
          Select all {matching === null ? "" : `${formatCount(matching)} `}that match
        </Button>
      )}
      <span className="ml-auto flex flex-wrap items-center gap-2">
        {tooMany && (
          <span className="text-danger text-label">
            Select at most {formatCount(BULK_CHOSEN_MAX)} rows, or all that match.
          </span>
        )}
        <BulkButtons chosen={chosen} disabled={tooMany} />
        <Button size="small" variant="ghost" onClick={clear}>
          <X aria-hidden size={14} />
          Clear selection
        </Button>
      </span>
    </section>
  );
}
