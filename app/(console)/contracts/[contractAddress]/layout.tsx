import { notFound } from "next/navigation";
import { readContract, readOrNotFound } from "@/app/(console)/reads";
import type { LayoutProps } from "@/app/data/page-props";
import { prefetcher } from "@/app/data/prefetcher";
import { ADDRESS_PATTERN } from "@/terms/batch-terms";

export default async function ContractLayout({ params, children }: LayoutProps<"contractAddress">) {
  const { contractAddress } = await params;
  if (!ADDRESS_PATTERN.test(contractAddress)) notFound();
  await readOrNotFound(readContract(contractAddress), "contract_not_found");
  const { keys, read, hydrate } = await prefetcher();
  await read(keys.contracts.get.queryKey({ contractAddress }), () => readContract(contractAddress));
  return hydrate(children);
}
