"use client";
import { SearchX } from "lucide-react";
import { useSearchParams } from "next/navigation";
import { unreadNames } from "../../data/unread-names";
import { Button } from "../../ui/button";
import { EmptyState } from "../../ui/empty-state";
import { filterParams } from "./list-params";
import { useListParams } from "./use-list-params";

/** Filters of the URL that cannot be read, as `name=value`. */
export function useUnreadFilters(): string[] {
  const search = useSearchParams();
  const { params } = useListParams();
  const read = Object.fromEntries(
    Object.keys(filterParams).map((name) => [name, params[name as keyof typeof filterParams]]),
  );
  return unreadNames(search, read).map((name) => `${name}=${search.get(name)}`);
}

/** Instead of a list: without the filter, it would show batches that the link does not mean. */
export function UnreadFilters({ filters }: { filters: readonly string[] }) {
  const { params, setParams } = useListParams();
  const remove = () => {
    const names = filters.map((filter) => filter.slice(0, filter.indexOf("=")));
    const kept = params.status?.length ? params.status : null;
    void setParams(Object.fromEntries(names.map((name) => [name, name === "status" ? kept : null])));
  };
  return (
    <EmptyState icon={SearchX} title="This link has a filter that cannot be read">
      <p className="break-all font-mono text-mono">{filters.join("  ")}</p>
      <p className="text-muted">
        No batches are shown, because without it the list would be a different one. Correct the link, or
        remove the filter.
      </p>
      <Button onClick={remove}>Remove {filters.length === 1 ? "the filter" : "these filters"}</Button>
    </EmptyState>
  );
}
