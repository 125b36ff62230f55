import type { QueryKey } from "@tanstack/react-query";

/**
 * Options of a list that is loaded page by page. tRPC's own `infiniteQueryOptions` would add a `direction`, which the inputs
 * of the lists do not have.
 */
export const pagedQuery = <Input extends object, Page extends { cursor: string | null }>(
  { infiniteQueryKey }: { infiniteQueryKey: (input: Input) => QueryKey },
  query: (input: Input & { cursor: string | null }, options: { signal: AbortSignal }) => Promise<Page>,
  input: Input,
) => ({
  queryKey: infiniteQueryKey(input),
  queryFn: ({ pageParam, signal }: { pageParam: string | null; signal: AbortSignal }) =>
    query({ ...input, cursor: pageParam }, { signal }),
  initialPageParam: null as string | null,
  getNextPageParam: (page: Page) => page.cursor,
});
