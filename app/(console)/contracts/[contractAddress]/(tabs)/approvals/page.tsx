import { Approvals } from "@/app/(console)/contracts/contract/approvals";
import { titledByContract } from "@/app/(console)/reads";
import type { RouteProps } from "@/app/data/page-props";
import { prefetcher } from "@/app/data/prefetcher";

export const generateMetadata = titledByContract("Approvals for");

export default async function ApprovalsPage({ params }: RouteProps<"contractAddress">) {
  const key = await params;
  const { keys, read, hydrate } = await prefetcher();
  await read(keys.approvals.get.queryKey(key));
  return hydrate(<Approvals />);
}
