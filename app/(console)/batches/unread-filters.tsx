"use client";
import { SearchX } from "lucide-react";
import { useSearchParams } from "next/navigation";
import { unreadNames } from "../../data/unread-names";
import { Button } from "../../ui/button";
import { EmptyState } from "../../ui/empty-state";

import { exportParams, type ShownStatus } from "./list-params";

import { useListParams } from "./use-list-params";

/** Filters of the URL, and the sort, that cannot be read, as `name=value`. */
export function useUnreadFilters(): string[] {
  const search = useSearchParams();
  const { params } = useListParams();
  const read = Object.fromEntries(
    Object.keys(exportParams).map((name) => [name, params[name as keyof typeof exportParams]]),
  );
  return unreadNames(search, read).map((name) => `${name}=${search.get(name)}`);
}

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

/** What to set so that the filters are gone, of which statuses that could be read stay. */
export function withoutUnread(filters: readonly string[], statuses: readonly ShownStatus[] | null) {
  const names = filters.map((filter) => filter.slice(0, filter.indexOf("=")));
  const kept = statuses?.length ? statuses : null;
  return Object.fromEntries(names.map((name) => [name, name === "status" ? kept : null]));
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
