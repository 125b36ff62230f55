import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { toDomainError } from "@/server/kernel/to-domain-error";
import { ADDRESS_PATTERN } from "@/server/kernel/values/patterns";
import { consoleCaller } from "@/server/trpc/caller";
import { queryKeys } from "../../../data/prefetch";
import { makeQueryClient } from "../../../data/query-client";
import { shortenHash } from "../../../ui/hash-text";
import { recipientPath } from "../../contracts/paths";
import { requireStaff } from "../../require-staff";
import { RecipientView } from "../recipient-view";

interface RecipientPageProps {
  params: Promise<{ address: string }>;
}

export async function generateMetadata({ params }: RecipientPageProps): Promise<Metadata> {
  return { title: `Recipient ${shortenHash((await params).address)}` };
}

export default async function RecipientPage({ params }: RecipientPageProps) {
  const { address } = await params;
  if (!ADDRESS_PATTERN.test(address)) notFound();
  await requireStaff(recipientPath(address));
  const { recipients } = (await consoleCaller()).console;
  const queryClient = makeQueryClient();
  const keys = queryKeys(queryClient).console.recipients;
  const [recipient] = await Promise.allSettled([
    recipients
      .get({ address })
      .then((found) => queryClient.setQueryData(keys.get.queryKey({ address }), found)),
    queryClient.prefetchInfiniteQuery({
      queryKey: keys.received.infiniteQueryKey({ address }),
      queryFn: () => recipients.received({ address }),
      initialPageParam: null,
      retry: false,
    }),
  ]);
  if (recipient.status === "rejected" && toDomainError(recipient.reason).code === "validation_failed")
    notFound();
  return (
    <HydrationBoundary state={dehydrate(queryClient)}>
      <div className="mx-auto w-full max-w-[1200px]">
        <RecipientView address={address} />
      </div>
    </HydrationBoundary>
  );
}
