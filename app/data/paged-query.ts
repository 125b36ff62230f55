import type { QueryKey } from "@tanstack/react-query";

/**
 * Options of a list that is loaded page by page. tRPC's own `infiniteQueryOptions` would add a `direction`, which the inputs
 * of the lists do not have.
 */
export const pagedQuery = <Page extends { cursor: string | null }>(
  queryKey: QueryKey,
  readPage: (cursor: string | null, options: { signal: AbortSignal }) => Promise<Page>,
) => ({
  queryKey,
  queryFn: ({ pageParam, signal }: { pageParam: string | null; signal: AbortSignal }) =>
    readPage(pageParam, { signal }),
  initialPageParam: null as string | null,
  getNextPageParam: (page: Page) => page.cursor,
});
