import type { Metadata } from "next";
import { WebhooksView } from "@/app/(console)/contracts/webhooks/webhooks-view";
import { nameOfContract, readContract } from "@/app/(console)/reads";
import type { RouteProps } from "@/app/data/page-props";
import { prefetcher } from "@/app/data/prefetcher";

export async function generateMetadata({ params }: RouteProps<"contractAddress">): Promise<Metadata> {
  return { title: `Webhooks for ${await nameOfContract((await params).contractAddress)}` };
}

export default async function WebhooksPage({ params }: RouteProps<"contractAddress">) {
  const { contractAddress } = await params;
  const { caller, keys, read, hydrate } = await prefetcher();
  const key = { contractAddress };
  const [contract] = await Promise.all([
    readContract(contractAddress),
    read(keys.webhooks.list.queryKey(key), () => caller.webhooks.list(key)),
  ]);
  return hydrate(<WebhooksView contract={contract} />);
}
