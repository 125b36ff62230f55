import { WebhooksView } from "@/app/(console)/contracts/webhooks/webhooks-view";
import { titledByContract } from "@/app/(console)/reads";
import type { RouteProps } from "@/app/data/page-props";
import { prefetcher } from "@/app/data/prefetcher";

export const generateMetadata = titledByContract("Webhooks for");

export default async function WebhooksPage({ params }: RouteProps<"contractAddress">) {
  const key = await params;
  const { keys, read, hydrate } = await prefetcher();
  await read(keys.webhooks.list.queryKey(key));
  return hydrate(<WebhooksView />);
}
