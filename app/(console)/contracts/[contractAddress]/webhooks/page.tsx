import type { Metadata } from "next";
import { prefetcher } from "../../../../data/prefetcher";
import { shortenHash } from "../../../../ui/hash-text";
import { requireStaff } from "../../../require-staff";
import { webhooksPath } from "../../paths";
import { readContract } from "../../read-contract";
import { WebhooksView } from "../../webhooks/webhooks-view";

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
  await Promise.all([
    read(keys.webhooks.list.queryKey(key), () => caller.webhooks.list(key)),
    // For the label in the breadcrumb.
    read(keys.contracts.get.queryKey(key), () => readContract(contractAddress)),
  ]);
  return hydrate(
    <div className="mx-auto w-full max-w-[1200px]">
      <WebhooksView contractAddress={contractAddress} />
    </div>,
  );
}
