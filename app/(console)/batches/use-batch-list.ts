"use client";
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useTRPC, useTRPCClient } from "../../data/trpc";
import { useServerClock } from "../../ui/server-clock";
import {
  announcesNewer,
  type ListParams,
  type SeenList,
  toFilters,
  toListInput,
  toNewerInput,
} from "./list-params";

const NEWER_EVERY_MS = 5_000;
const FACETS_EVERY_MS = 15_000;
/** How long Back still finds the loaded rows. */
const KEPT_MS = 300_000;

/** Rows are fetched once and newer ones only counted, so that rows never move under the pointer. */
export function useBatchList(params: ListParams) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const input = toListInput(params);
  // Not `infiniteQueryOptions`: it adds a `direction` that the list input does not have.
  const query = useInfiniteQuery({
    queryKey: trpc.console.batches.list.infiniteQueryKey(input),
    queryFn: ({ pageParam, signal }) =>
      client.console.batches.list.query({ ...input, cursor: pageParam }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.cursor,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: KEPT_MS,
  });
  const pages = query.data?.pages;
  const batches = useMemo(() => pages?.flatMap((page) => page.batches) ?? [], [pages]);
  useServerClock(pages?.at(-1)?.now);
  return {
    query,
    batches,
    asOf: pages?.[0]?.now ?? "1970-01-01T00:00:00Z",
    sortedAmong: pages?.[0]?.sortedAmong ?? null,
  };
}

export function useNewerCount(params: ListParams, seen: SeenList, ready: boolean) {
  const trpc = useTRPC();
  const newer = useQuery(
    trpc.console.batches.newer.queryOptions(toNewerInput(params, seen), {
      enabled: ready && announcesNewer(params),
      refetchInterval: NEWER_EVERY_MS,
      staleTime: 0,
      gcTime: 0,
    }),
  );
  return { count: newer.data?.count ?? 0, failed: newer.isError };
}

export function useFacets(params: ListParams) {
  const trpc = useTRPC();
  return useQuery(
    trpc.console.batches.facets.queryOptions(toFilters(params), {
      refetchInterval: FACETS_EVERY_MS,
      placeholderData: keepPreviousData,
    }),
  );
}
