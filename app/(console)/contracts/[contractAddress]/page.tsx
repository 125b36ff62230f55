import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import type { SearchParams } from "nuqs/server";
import { Suspense } from "react";
import { consoleCaller } from "@/server/trpc/caller";
import { queryKeys } from "../../../data/prefetch";
import { makeQueryClient } from "../../../data/query-client";
import { shortenHash } from "../../../ui/hash-text";
import { requireStaff } from "../../require-staff";
import { loadContractParams } from "../contract/contract-params";
import { ContractView } from "../contract/contract-view";
import { Forecast, ForecastSkeleton } from "../contract/forecast";
import { PointsPerDay, PointsPerDaySkeleton } from "../contract/points-per-day";
import { RECENT_BATCHES } from "../contract/recent-batches-count";
import { contractPath } from "../paths";
import { readContract } from "../read-contract";

interface ContractPageProps {
  params: Promise<{ contractAddress: string }>;
  searchParams: Promise<SearchParams>;
}

export async function generateMetadata({ params }: ContractPageProps): Promise<Metadata> {
  const { contractAddress } = await params;
  const contract = await readContract(contractAddress).catch(() => null);
  return { title: `Contract ${contract?.label ?? shortenHash(contractAddress)}` };
}

export default async function ContractPage(props: ContractPageProps) {
  const { contractAddress } = await props.params;
  await requireStaff(contractPath(contractAddress));
  const params = loadContractParams(await props.searchParams);
  const queryClient = await prefetch(contractAddress);
  return (
    <HydrationBoundary state={dehydrate(queryClient)}>
      <div className="mx-auto w-full max-w-[1200px]">
        <ContractView
          contractAddress={contractAddress}
          plots={
            <>
              <Suspense
                key={`forecast ${params.forecast}`}
                fallback={<ForecastSkeleton contractAddress={contractAddress} params={params} />}
              >
                <Forecast contractAddress={contractAddress} params={params} />
              </Suspense>
              <Suspense
                key={`days ${params.days}`}
                fallback={<PointsPerDaySkeleton contractAddress={contractAddress} params={params} />}
              >
                <PointsPerDay contractAddress={contractAddress} params={params} />
              </Suspense>
            </>
          }
        />
      </div>
    </HydrationBoundary>
  );
}

async function prefetch(contractAddress: string) {
  const { contracts, batches } = (await consoleCaller()).console;
  const queryClient = makeQueryClient();
  const keys = queryKeys(queryClient).console;
  const recent = { contractAddress, limit: RECENT_BATCHES };
  await Promise.allSettled([
    readContract(contractAddress).then((found) =>
      queryClient.setQueryData(keys.contracts.get.queryKey({ contractAddress }), found),
    ),
    queryClient.prefetchQuery({
      queryKey: keys.batches.list.queryKey(recent),
      queryFn: () => batches.list(recent),
      retry: false,
    }),
    queryClient.prefetchQuery({
      queryKey: keys.contracts.tokens.queryKey({ contractAddress }),
      queryFn: () => contracts.tokens({ contractAddress }),
      retry: false,
    }),
    queryClient.prefetchInfiniteQuery({
      queryKey: keys.contracts.issuances.infiniteQueryKey({ contractAddress }),
      queryFn: () => contracts.issuances({ contractAddress }),
      initialPageParam: null,
      retry: false,
    }),
  ]);
  return queryClient;
}
