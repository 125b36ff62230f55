import { useSearchParams } from "next/navigation";
import { useQueryStates } from "nuqs";
import { invalidNames } from "@/app/data/invalid-names";
import { type FilterParams, filterParams, listParams, loadExportParams } from "./list-params";

const NO_FILTERS = Object.fromEntries(Object.keys(filterParams).map((name) => [name, null])) as {
  [Name in keyof FilterParams]: null;
};

/** The list's state is in the URL, and Back undoes each change. */
export function useListParams() {
  const [params, setParams] = useQueryStates(listParams, { history: "push" });
  const clearFilters = () => void setParams(NO_FILTERS);
  const filtered = Object.keys(filterParams).some((name) => params[name as keyof FilterParams] !== null);
  return { params, setParams, clearFilters, filtered };
}

/** Of the address alone: what the list shows follows it a moment later, or comes before it. */
export function useInvalidFilters(): string[] {
  const search = useSearchParams();
  return invalidNames(search, loadExportParams(search));
}
