import { notFound } from "next/navigation";
import type { ReactNode } from "react";
import { readContract, readOrNotFound } from "@/app/(console)/reads";
import type { RouteProps } from "@/app/data/page-props";
import { prefetcher } from "@/app/data/prefetcher";
import { ADDRESS_PATTERN } from "@/server/kernel/values/batch-terms";

export default async function ContractLayout({
  params,
  children,
}: RouteProps<"contractAddress"> & { children: ReactNode }) {
  const { contractAddress } = await params;
  if (!ADDRESS_PATTERN.test(contractAddress)) notFound();
  await readOrNotFound(readContract(contractAddress), "contract_not_found");
  const { keys, read, hydrate } = await prefetcher();
  await read(keys.contracts.get.queryKey({ contractAddress }), () => readContract(contractAddress));
  return hydrate(children);
}
