"use client";
import { useSearchParams } from "next/navigation";
import { invalidNames } from "../../data/invalid-names";
import { exportParams, type ShownStatus } from "./list-params";
import { useListParams } from "./use-list-params";

/** The invalid filters of the URL, and its sort if invalid, as `name=value`. */
export function useInvalidFilters(): string[] {
  const search = useSearchParams();
  const { params } = useListParams();
  const read = Object.fromEntries(
    Object.keys(exportParams).map((name) => [name, params[name as keyof typeof exportParams]]),
  );
  return invalidNames(search, read).map((name) => `${name}=${search.get(name)}`);
}

/** Parameters that remove the invalid filters. Statuses that are valid stay. */
export function withoutInvalid(filters: readonly string[], statuses: readonly ShownStatus[] | null) {
  const names = filters.map((filter) => filter.slice(0, filter.indexOf("=")));
  const kept = statuses?.length ? statuses : null;
  return Object.fromEntries(names.map((name) => [name, name === "status" ? kept : null]));
}
