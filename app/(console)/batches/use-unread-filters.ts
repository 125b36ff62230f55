"use client";
import { useSearchParams } from "next/navigation";
import { unreadNames } from "../../data/unread-names";
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

/** What to set so that the filters are gone, of which statuses that could be read stay. */
export function withoutUnread(filters: readonly string[], statuses: readonly ShownStatus[] | null) {
  const names = filters.map((filter) => filter.slice(0, filter.indexOf("=")));
  const kept = statuses?.length ? statuses : null;
  return Object.fromEntries(names.map((name) => [name, name === "status" ? kept : null]));
}
