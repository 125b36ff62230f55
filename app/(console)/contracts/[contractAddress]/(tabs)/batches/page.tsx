import { RecentBatches } from "@/app/(console)/contracts/contract/tables";
import { RECENT_BATCHES } from "@/app/(console)/contracts/contract-params";
import { titledByContract } from "@/app/(console)/reads";
import type { RouteProps } from "@/app/data/page-props";
import { prefetcher } from "@/app/data/prefetcher";

export const generateMetadata = titledByContract("Recent batches of");

export default async function ContractBatchesPage({ params }: RouteProps<"contractAddress">) {
  const recent = { ...(await params), limit: RECENT_BATCHES };
  const { caller, keys, read, hydrate } = await prefetcher();
  await read(keys.batches.list.queryKey(recent), () => caller.batches.list(recent));
  return hydrate(<RecentBatches />);
}
