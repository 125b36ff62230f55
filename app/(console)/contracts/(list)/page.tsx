import type { Metadata } from "next";
import { ContractList } from "@/app/(console)/contracts/contract-list";
import { loadContractListParams, toSearchInput } from "@/app/(console)/contracts/contract-params";
import type { PageProps } from "@/app/data/page-props";
import { prefetcher } from "@/app/data/prefetcher";

export const metadata: Metadata = { title: "Contracts" };

export default async function ContractsPage({ searchParams }: PageProps) {
  const input = toSearchInput(await loadContractListParams(searchParams));
  const { keys, readPage, hydrate } = await prefetcher();
  await readPage(keys.contracts.search.infiniteQueryKey(input));
  return hydrate(<ContractList />);
}
