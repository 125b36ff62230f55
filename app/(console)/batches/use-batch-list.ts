import { useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { usePages, useTRPC } from "@/app/data/trpc";
import { type ListParams, toListInput } from "./list-params";

/** How long Back still finds the loaded rows. */
const KEPT_MS = 300_000;

/** Rows are fetched once and newer ones only counted, so that rows never move under the pointer. */
export function useBatchList(params: ListParams) {
  const query = useInfiniteQuery({
    ...usePages(useTRPC().console.batches.list, toListInput(params)),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: KEPT_MS,
  });
  const pages = query.data?.pages;
  const batches = useMemo(() => pages?.flatMap((page) => page.batches) ?? [], [pages]);
  return {
    query,
    batches,
    sortedAmong: pages?.[0]?.sortedAmong ?? null,
  };
}
