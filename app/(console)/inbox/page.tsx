import type { Metadata } from "next";
import type { PageProps } from "@/app/data/page-props";
import { prefetcher } from "@/app/data/prefetcher";
import { Inbox } from "./inbox";
import { loadInboxParams } from "./inbox-params";

export const metadata: Metadata = { title: "Alerts" };

export default async function InboxPage({ searchParams }: PageProps) {
  const { state } = loadInboxParams(await searchParams);
  const { caller, keys, read, readPage, hydrate } = await prefetcher();
  await Promise.all([
    state === "open"
      ? read(keys.alerts.queue.queryKey(), () => caller.alerts.queue())
      : readPage(keys.alerts.ended.infiniteQueryKey({}), () => caller.alerts.ended({})),
    read(keys.alerts.channels.queryKey(), () => caller.alerts.channels()),
  ]);
  return hydrate(<Inbox />);
}
