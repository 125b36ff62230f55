import type { Metadata } from "next";
import { Forecast, PointsPerDay } from "@/app/(console)/contracts/contract/contract-plots";
import { ContractView } from "@/app/(console)/contracts/contract/contract-view";
import {
  loadContractParams,
  loadRequestParams,
  RECENT_BATCHES,
  toRequestFilters,
} from "@/app/(console)/contracts/contract-params";
import { nameOfContract } from "@/app/(console)/reads";
import type { PageProps, RouteProps } from "@/app/data/page-props";
import { prefetcher } from "@/app/data/prefetcher";

export async function generateMetadata({ params }: RouteProps<"contractAddress">): Promise<Metadata> {
  return { title: `Contract ${await nameOfContract((await params).contractAddress)}` };
}

export default async function ContractPage(props: PageProps<"contractAddress">) {
  const { contractAddress } = await props.params;
  const query = await props.searchParams;
  const params = loadContractParams(query);
  const requests = toRequestFilters(contractAddress, loadRequestParams(query));
  const { caller, keys, read, readPage, hydrate } = await prefetcher();
  const key = { contractAddress };
  const recent = { contractAddress, limit: RECENT_BATCHES };
  await Promise.all([
    read(keys.batches.list.queryKey(recent), () => caller.batches.list(recent)),
    read(keys.contracts.tokens.queryKey(key), () => caller.contracts.tokens(key)),
    readPage(keys.requests.list.infiniteQueryKey(requests), () => caller.requests.list(requests)),
    readPage(keys.contracts.issuances.infiniteQueryKey(key), () => caller.contracts.issuances(key)),
  ]);
  const plots = (
    <>
      <Forecast contractAddress={contractAddress} params={params} />
      <PointsPerDay contractAddress={contractAddress} params={params} />
    </>
  );
  return hydrate(<ContractView contractAddress={contractAddress} plots={plots} />);
}
