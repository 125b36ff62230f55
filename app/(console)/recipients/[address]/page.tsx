import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import type { SearchParams } from "nuqs/server";
import { consoleCaller } from "@/server/trpc/caller";
import { queryKeys } from "../../../data/prefetch";
import { makeQueryClient } from "../../../data/query-client";
import { shortenHash } from "../../../ui/hash-text";
import { recipientPath } from "../../contracts/paths";
import { requireStaff } from "../../require-staff";
import { readRecipient } from "../read-recipient";
import { hasFilters, loadRecipientParams, recipientQuery, toReceivedFilters } from "../recipient-params";
import { RecipientView } from "../recipient-view";

interface RecipientPageProps {
  params: Promise<{ address: string }>;
  searchParams: Promise<SearchParams>;
}

export async function generateMetadata({ params }: Pick<RecipientPageProps, "params">): Promise<Metadata> {
  const { address } = await params;
  const recipient = await readRecipient(address).catch(() => null);
  const label = recipient?.contractLabel ?? recipient?.label;
  return { title: `${label ? `${label} · ` : ""}Recipient ${shortenHash(address)}` };
}

export default async function RecipientPage({ params, searchParams }: RecipientPageProps) {
  const { address } = await params;
  const query = await loadRecipientParams(searchParams);
  await requireStaff(recipientQuery(recipientPath(address), query));
  const filters = toReceivedFilters(address, query);
  const { recipients } = (await consoleCaller()).console;
  const queryClient = makeQueryClient();
  const keys = queryKeys(queryClient).console.recipients;
  await Promise.allSettled([
    readRecipient(address).then((found) => queryClient.setQueryData(keys.get.queryKey({ address }), found)),
    queryClient.prefetchInfiniteQuery({
      queryKey: keys.received.infiniteQueryKey(filters),
      queryFn: () => recipients.received(filters),
      initialPageParam: null,
      retry: false,
    }),
    hasFilters(query) &&
      queryClient.prefetchQuery({
        queryKey: keys.sums.queryKey(filters),
        queryFn: () => recipients.sums(filters),
        retry: false,
      }),
  ]);
  return (
    <HydrationBoundary state={dehydrate(queryClient)}>
      <div className="mx-auto w-full max-w-[1200px]">
        <RecipientView address={address} />
      </div>
    </HydrationBoundary>
  );
}
