import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { toDomainError } from "@/server/kernel/to-domain-error";
import { ADDRESS_PATTERN } from "@/server/kernel/values/patterns";
import { consoleCaller } from "@/server/trpc/caller";
import { queryKeys } from "../../../../data/prefetch";
import { makeQueryClient } from "../../../../data/query-client";
import { shortenHash } from "../../../../ui/hash-text";
import { requireStaff } from "../../../require-staff";
import { webhooksPath } from "../../paths";
import { WebhooksView } from "../../webhooks/webhooks-view";

interface WebhooksPageProps {
  params: Promise<{ contractAddress: string }>;
}

export async function generateMetadata({ params }: WebhooksPageProps): Promise<Metadata> {
  return { title: `Webhooks for ${shortenHash((await params).contractAddress)}` };
}

export default async function WebhooksPage({ params }: WebhooksPageProps) {
  const { contractAddress } = await params;
  if (!ADDRESS_PATTERN.test(contractAddress)) notFound();
  await requireStaff(webhooksPath(contractAddress));
  const { webhooks } = (await consoleCaller()).console;
  const queryClient = makeQueryClient();
  const key = queryKeys(queryClient).console.webhooks.list.queryKey({ contractAddress });
  try {
    queryClient.setQueryData(key, await webhooks.list({ contractAddress }));
  } catch (error) {
    const { code } = toDomainError(error);
    if (code === "contract_not_found" || code === "validation_failed") notFound();
  }
  return (
    <HydrationBoundary state={dehydrate(queryClient)}>
      <div className="mx-auto w-full max-w-[1200px]">
        <WebhooksView contractAddress={contractAddress} />
      </div>
    </HydrationBoundary>
  );
}
