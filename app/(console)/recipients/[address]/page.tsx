import type { Metadata } from "next";
import { hasFilters } from "@/app/(console)/batches/list-params";
import { readRecipient } from "@/app/(console)/reads";
import { loadRecipientParams, toReceivedFilters } from "@/app/(console)/recipients/recipient-params";
import { RecipientView } from "@/app/(console)/recipients/recipient-view";
import type { PageProps, RouteProps } from "@/app/data/page-props";
import { prefetcher } from "@/app/data/prefetcher";
import { shortenHash } from "@/app/ui/hash-text";

export async function generateMetadata({ params }: RouteProps<"address">): Promise<Metadata> {
  const { address } = await params;
  const recipient = await readRecipient(address).catch(() => null);
  const label = recipient?.contractLabel ?? recipient?.label;
  return { title: `${label ? `${label} · ` : ""}Recipient ${shortenHash(address)}` };
}

export default async function RecipientPage({ params, searchParams }: PageProps<"address">) {
  const { address } = await params;
  const query = await loadRecipientParams(searchParams);
  const filters = toReceivedFilters(address, query);
  const { keys, read, readPage, hydrate } = await prefetcher();
  const { get, received, sums } = keys.recipients;
  await Promise.all([
    read(get.queryKey({ address }), () => readRecipient(address)),
    readPage(received.infiniteQueryKey(filters)),
    hasFilters(query) && read(sums.queryKey(filters)),
  ]);
  return hydrate(<RecipientView address={address} />);
}
