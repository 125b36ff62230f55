import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { consoleCaller } from "@/server/trpc/caller";
import { queryKeys } from "../../../../data/prefetch";
import { makeQueryClient } from "../../../../data/query-client";
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
  const { webhooks } = (await consoleCaller()).console;
  const queryClient = makeQueryClient();
  const keys = queryKeys(queryClient).console;
  await Promise.allSettled([
    webhooks
      .list({ contractAddress })
      .then((found) => queryClient.setQueryData(keys.webhooks.list.queryKey({ contractAddress }), found)),
    // The breadcrumb has its label.
    readContract(contractAddress).then((found) =>
      queryClient.setQueryData(keys.contracts.get.queryKey({ contractAddress }), found),
    ),
  ]);
  return (
    <HydrationBoundary state={dehydrate(queryClient)}>
      <div className="mx-auto w-full max-w-[1200px]">
        <WebhooksView contractAddress={contractAddress} />
      </div>
    </HydrationBoundary>
  );
}
