import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import type { SearchParams } from "nuqs/server";
import { requireStaff } from "@/app/(console)/reads";
import { queryKeys } from "@/app/data/prefetcher";
import { consoleCaller } from "@/server/trpc/caller";
import { makeQueryClient } from "../../../data/query-client";
import { BatchList } from "../batch-list";
import { loadListParams, toFilters, toListInput } from "../list-params";

export const metadata: Metadata = { title: "Batches" };

export default async function BatchesPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const query = await searchParams;
  const entries = Object.entries(query).flatMap(([name, value]) =>
    [value ?? []].flat().map((one) => [name, one]),
  );
  const search = new URLSearchParams(entries).toString();
  await requireStaff(search ? `/batches?${search}` : "/batches");

  const params = loadListParams(query);
  const caller = await consoleCaller();
  const queryClient = makeQueryClient();
  const keys = queryKeys(queryClient).console.batches;
  const input = toListInput(params);
  await Promise.all([
    queryClient.prefetchInfiniteQuery({
      queryKey: keys.list.infiniteQueryKey(input),
      queryFn: () => caller.console.batches.list(input),
      initialPageParam: null,
      retry: false,
    }),
    queryClient.prefetchQuery({
      queryKey: keys.facets.queryKey(toFilters(params)),
      queryFn: () => caller.console.batches.facets(toFilters(params)),
      retry: false,
    }),
  ]);
  return (
    <HydrationBoundary state={dehydrate(queryClient)}>
      <BatchList />
    </HydrationBoundary>
  );
}
