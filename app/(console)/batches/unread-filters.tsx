"use client";
import { SearchX } from "lucide-react";
import { Button } from "../../ui/button";
import { EmptyState } from "../../ui/empty-state";

import { useListParams } from "./use-list-params";
import { withoutUnread } from "./use-unread-filters";

export function UnreadFilters({ filters }: { filters: readonly string[] }) {
  const { params, setParams } = useListParams();
  return (
    <UnreadFiltersNote
      filters={filters}
      what="batches"
      onRemove={() => void setParams(withoutUnread(filters, params.status))}
    />
  );
}

interface UnreadFiltersNoteProps {
  /** As `name=value`. */
  filters: readonly string[];
  /** What the list has: "batches". */
  what: string;
  onRemove: () => void;
}

/** Instead of a list: without the filter, it would show rows that the link does not mean. */
export function UnreadFiltersNote({ filters, what, onRemove }: UnreadFiltersNoteProps) {
  return (
    <EmptyState icon={SearchX} title="This link has a filter that cannot be read">
      <ul className="break-all font-mono text-mono">
        {filters.map((filter) => (
          <li key={filter}>{filter}</li>
        ))}
      </ul>
      <p className="text-muted">
        No {what} are shown, because ignoring the filter would show the wrong ones. Fix the link, or remove
        the filter.
      </p>
      <Button onClick={onRemove}>Remove {filters.length === 1 ? "the filter" : "these filters"}</Button>
    </EmptyState>
  );
}
