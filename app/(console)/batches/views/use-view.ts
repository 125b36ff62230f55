"use client";
import { type ListParams, listParams, loadListParams, type ViewParams, viewQuery } from "../list-params";
import { useListParams } from "../use-list-params";

/** The query of a view's URL, without the question mark. Equal views have equal queries. */
export function queryOf(params: Partial<ViewParams>): string {
  const query = new URLSearchParams(viewQuery(params));
  query.sort();
  return query.toString();
}

export const viewPath = (query: string) => (query ? `/batches?${query}` : "/batches");

const NOTHING = Object.fromEntries(Object.keys(listParams).map((name) => [name, null])) as {
  [Name in keyof ListParams]: null;
};

/** The query of the list on screen, and how to go to another one without loading the page. */
export function useView() {
  const { params, setParams } = useListParams();
  return {
    query: queryOf(params),
    show: (query: string) => void setParams({ ...NOTHING, ...loadListParams(`?${query}`) }),
  };
}
