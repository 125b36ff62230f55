"use client";
import { loadListParams, type ViewParams, viewQuery } from "../list-params";
import { useListParams } from "../use-list-params";

/** The query of a view's URL, without the question mark. Equal views have equal queries. */
export function queryOf(params: Partial<ViewParams>): string {
  const query = new URLSearchParams(viewQuery(params));
  query.sort();
  return query.toString();
}

export const viewPath = (query: string) => (query ? `/batches?${query}` : "/batches");

/** The query of the list on screen, and how to go to another one without loading the page. */
export function useView() {
  const { params, setParams } = useListParams();
  return {
    query: queryOf(params),
    show: (query: string) => void setParams(loadListParams(`?${query}`)),
  };
}
