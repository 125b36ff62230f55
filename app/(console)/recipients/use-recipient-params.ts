"use client";
import { useSearchParams } from "next/navigation";
import { useQueryStates } from "nuqs";
import { invalidNames } from "../../data/invalid-names";
import { hasFilters, recipientParams } from "./recipient-params";

/** The filters are in the URL, and Back undoes each change. */
export function useRecipientParams() {
  const search = useSearchParams();
  const [params, setParams] = useQueryStates(recipientParams, { history: "push", scroll: false });
  return {
    params,
    setParams,
    clearFilters: () => void setParams(null),
    filtered: hasFilters(params),
    /** Invalid filters of the URL, as `name=value`. */
    invalid: invalidNames(search, params).map((name) => `${name}=${search.get(name)}`),
  };
}
