import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import type { SearchParams } from "nuqs/server";
import { consoleCaller } from "@/server/trpc/caller";
import { queryKeys } from "../../../data/prefetch";
import { makeQueryClient } from "../../../data/query-client";
import { requireStaff } from "../../require-staff";
import { ContractList } from "../contract-list";
import { loadContractParams, toSearchInput } from "../list-params";

export const metadata: Metadata = { title: "Contracts" };

export default async function ContractsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const params = await loadContractParams(searchParams);
  await requireStaff(params.q ? `/contracts?q=${encodeURIComponent(params.q)}` : "/contracts");
  const caller = await consoleCaller();
  const queryClient = makeQueryClient();
  const input = toSearchInput(params);
  await queryClient.prefetchInfiniteQuery({
    queryKey: queryKeys(queryClient).console.contracts.search.infiniteQueryKey(input),
    queryFn: () => caller.console.contracts.search(input),
    initialPageParam: null,
    retry: false,
  });
  return (
    <HydrationBoundary state={dehydrate(queryClient)}>
      <ContractList />
    </HydrationBoundary>
  );
}
