"use client";
import { keepPreviousData, useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { useQueryStates } from "nuqs";
import { useTRPC, useTRPCClient } from "../../data/trpc";
import { inboxParams, toAlertFilters } from "./inbox-params";

const EVERY_MS = 15_000;

/** The alerts that the URL's filters show. */
export function useInbox() {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const [params, setParams] = useQueryStates(inboxParams, { history: "push" });
  const filters = toAlertFilters(params);
  const query = useInfiniteQuery({
    queryKey: trpc.console.alerts.list.infiniteQueryKey(filters),
    queryFn: ({ pageParam, signal }) =>
      client.console.alerts.list.query({ ...filters, cursor: pageParam }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.cursor,
    placeholderData: keepPreviousData,
    refetchInterval: EVERY_MS,
  });
  return { params, setParams, query, alerts: query.data?.pages.flatMap((page) => page.alerts) ?? [] };
}

/** Marks alerts as seen by the user, for the list and for what every page shows. */
export function useMarkSeen() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return useMutation(
    trpc.console.alerts.markSeen.mutationOptions({
      onSettled: () =>
        Promise.all([
          queryClient.invalidateQueries(trpc.console.alerts.list.infiniteQueryFilter()),
          queryClient.invalidateQueries(trpc.console.alerts.summary.queryFilter()),
        ]),
    }),
  );
}
