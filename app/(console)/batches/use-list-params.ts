"use client";
import { useQueryStates } from "nuqs";
import { useCallback } from "react";
import { type FilterParams, filterParams, listParams } from "./list-params";

const NO_FILTERS = Object.fromEntries(Object.keys(filterParams).map((name) => [name, null])) as {
  [Name in keyof FilterParams]: null;
};

/** The list's state is in the URL, and Back undoes each change. */
export function useListParams() {
  const [params, setParams] = useQueryStates(listParams, { history: "push" });
  const clearFilters = useCallback(() => void setParams(NO_FILTERS), [setParams]);
  const chosen = Object.keys(filterParams).filter((name) => params[name as keyof FilterParams] !== null);
  return { params, setParams, clearFilters, chosen, filtered: chosen.length > 0 };
}
