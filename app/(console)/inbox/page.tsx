import type { Metadata } from "next";
import type { SearchParams } from "nuqs/server";
import { requireStaff } from "@/app/(console)/reads";
import { prefetcher } from "../../data/prefetcher";
import { Inbox } from "./inbox";
import { inboxQuery, loadInboxParams, toAlertFilters } from "./inbox-params";

export const metadata: Metadata = { title: "Alerts" };

export default async function InboxPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const params = loadInboxParams(await searchParams);
  await requireStaff(inboxQuery("/inbox", params));
  const { caller, keys, read, readPage, hydrate } = await prefetcher();
  const filters = toAlertFilters(params);
  await Promise.all([
    readPage(keys.alerts.list.infiniteQueryKey(filters), () => caller.alerts.list(filters)),
    read(keys.alerts.channels.queryKey(), () => caller.alerts.channels()),
  ]);
  return hydrate(<Inbox />);
}
