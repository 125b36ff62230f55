import type { Metadata } from "next";
import { WebhooksView } from "@/app/(console)/contracts/webhooks/webhooks-view";
import { readContract, requireStaff } from "@/app/(console)/reads";
import { shortenHash } from "@/app/ui/hash-text";
import { prefetcher } from "../../../../data/prefetcher";
import { webhooksPath } from "../../paths";

interface WebhooksPageProps {
  params: Promise<{ contractAddress: string }>;
}

export async function generateMetadata({ params }: WebhooksPageProps): Promise<Metadata> {
  const { contractAddress } = await params;
  const contract = await readContract(contractAddress).catch(() => null);
  return { title: `Webhooks for ${contract?.label ?? shortenHash(contractAddress)}` };
}

export default async function WebhooksPage({ params }: WebhooksPageProps) {
  const { contractAddress } = await params;
  await requireStaff(webhooksPath(contractAddress));
  const { caller, keys, read, hydrate } = await prefetcher();
  const key = { contractAddress };
  const [contract] = await Promise.all([
    readContract(contractAddress),
    read(keys.webhooks.list.queryKey(key), () => caller.webhooks.list(key)),
  ]);
  return hydrate(
    <div className="mx-auto w-full max-w-[1200px]">
      <WebhooksView contract={contract} />
    </div>,
  );
}
