import type { Metadata } from "next";
import type { SearchParams } from "nuqs/server";
import { requireStaff } from "@/app/(console)/reads";
import { prefetcher } from "../../../data/prefetcher";
import { ContractList } from "../contract-list";
import { loadContractParams, toSearchInput } from "../list-params";

export const metadata: Metadata = { title: "Contracts" };

export default async function ContractsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const params = await loadContractParams(searchParams);
  await requireStaff(params.q ? `/contracts?q=${encodeURIComponent(params.q)}` : "/contracts");
  const { caller, keys, readPage, hydrate } = await prefetcher();
  const input = toSearchInput(params);
  await readPage(keys.contracts.search.infiniteQueryKey(input), () => caller.contracts.search(input));
  return hydrate(<ContractList />);
}
