import "server-only";
import { dehydrate, HydrationBoundary, type QueryKey } from "@tanstack/react-query";
import { createTRPCClient } from "@trpc/client";
import { createTRPCOptionsProxy } from "@trpc/tanstack-react-query";
import type { ReactNode } from "react";
import { consoleCaller } from "@/server/trpc/caller";
import type { AppRouter } from "@/server/trpc/root";
import { makeQueryClient } from "./query-client";

/**
 * Reads on the server what a page's queries will ask for, under their keys. What cannot be read is left to the browser,
 * which shows why.
 */
export async function prefetcher() {
  const caller = (await consoleCaller()).console;
  const queryClient = makeQueryClient();
  // For the keys only. The client has no links, and is never called.
  const client = createTRPCClient<AppRouter>({ links: [] });
  return {
    caller,
    keys: createTRPCOptionsProxy<AppRouter>({ queryClient, client }).console,
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
