"use client";
import { useSearchParams } from "next/navigation";
import { useQueryStates } from "nuqs";
import { unreadNames } from "../../data/unread-names";
import { hasFilters, recipientParams } from "./recipient-params";

const NO_FILTERS = { status: null, type: null, contract: null, from: null, to: null };

/** The filters are in the URL, and Back undoes each change. */
export function useRecipientParams() {
  const search = useSearchParams();
  const [params, setParams] = useQueryStates(recipientParams, { history: "push", scroll: false });
  return {
    params,
    setParams,
    clearFilters: () => void setParams(NO_FILTERS),
    filtered: hasFilters(params),
    /** Filters of the URL that cannot be read, as `name=value`. */
    unread: unreadNames(search, params).map((name) => `${name}=${search.get(name)}`),
  };
}
