import type { Metadata } from "next";
import { requireStaff } from "@/app/(console)/reads";
import type { PageProps } from "@/app/data/page-props";
import { prefetcher } from "../../data/prefetcher";
import { Inbox } from "./inbox";
import { inboxQuery, loadInboxParams } from "./inbox-params";

export const metadata: Metadata = { title: "Alerts" };

export default async function InboxPage({ searchParams }: PageProps) {
  const params = loadInboxParams(await searchParams);
  await requireStaff(inboxQuery("/inbox", params));
  const { caller, keys, read, readPage, hydrate } = await prefetcher();
  await Promise.all([
    readPage(keys.alerts.list.infiniteQueryKey(params), () => caller.alerts.list(params)),
    read(keys.alerts.channels.queryKey(), () => caller.alerts.channels()),
  ]);
  return hydrate(<Inbox />);
}
