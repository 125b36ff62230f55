import type { Metadata } from "next";
import type { PageProps } from "@/app/data/page-props";
import { prefetcher } from "@/app/data/prefetcher";
import { Inbox } from "./inbox";
import { loadInboxParams } from "./inbox-params";

export const metadata: Metadata = { title: "Alerts" };

export default async function InboxPage({ searchParams }: PageProps) {
  const { state } = loadInboxParams(await searchParams);
  const { keys, read, readPage, hydrate } = await prefetcher();
  await Promise.all([
    state === "open" ? read(keys.alerts.queue.queryKey()) : readPage(keys.alerts.ended.infiniteQueryKey({})),
    read(keys.alerts.channels.queryKey()),
  ]);
  return hydrate(<Inbox />);
}
