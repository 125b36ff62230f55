import { Requests } from "@/app/(console)/contracts/contract/requests";
import { loadRequestParams, toRequestFilters } from "@/app/(console)/contracts/contract-params";
import { titledByContract } from "@/app/(console)/reads";
import type { PageProps } from "@/app/data/page-props";
import { prefetcher } from "@/app/data/prefetcher";

export const generateMetadata = titledByContract("Requests of");

export default async function RequestsPage({ params, searchParams }: PageProps<"contractAddress">) {
  const key = await params;
  const filters = toRequestFilters(key.contractAddress, await loadRequestParams(searchParams));
  const { keys, read, readPage, hydrate } = await prefetcher();
  await Promise.all([
    read(keys.contracts.tokens.queryKey(key)),
    readPage(keys.requests.list.infiniteQueryKey(filters)),
  ]);
  return hydrate(<Requests />);
}
