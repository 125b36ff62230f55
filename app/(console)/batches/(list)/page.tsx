import type { Metadata } from "next";
import { BatchList } from "@/app/(console)/batches/batch-list";
import { loadListParams, toListInput } from "@/app/(console)/batches/list-params";
import type { PageProps } from "@/app/data/page-props";
import { prefetcher } from "@/app/data/prefetcher";

export const metadata: Metadata = { title: "Batches" };

export default async function BatchesPage({ searchParams }: PageProps) {
  const params = await loadListParams(searchParams);
  const { keys, readPage, hydrate } = await prefetcher();
  const input = toListInput(params);
  await readPage(keys.batches.list.infiniteQueryKey(input));
  return hydrate(<BatchList />);
}
