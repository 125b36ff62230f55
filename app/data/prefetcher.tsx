import "server-only";
import { dehydrate, HydrationBoundary, type QueryKey } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { consoleCaller } from "@/server/trpc/caller";
import { queryKeys } from "./prefetch";
import { makeQueryClient } from "./query-client";

/**
 * Reads on the server what a page's queries will ask for, under their keys. What cannot be read is left to the browser,
 * which shows why.
 */
export async function prefetcher() {
  const caller = (await consoleCaller()).console;
  const queryClient = makeQueryClient();
  return {
    caller,
    keys: queryKeys(queryClient).console,
    read: (queryKey: QueryKey, queryFn: () => Promise<unknown>) =>
      queryClient.prefetchQuery({ queryKey, queryFn, retry: false }),
    /** The first page of a list. */
    readPage: (queryKey: QueryKey, queryFn: () => Promise<unknown>) =>
      queryClient.prefetchInfiniteQuery({ queryKey, queryFn, initialPageParam: null, retry: false }),
    hydrate: (children: ReactNode) => (
      <HydrationBoundary state={dehydrate(queryClient)}>{children}</HydrationBoundary>
    ),
  };
}
