import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import type { SearchParams } from "nuqs/server";
import { consoleCaller } from "@/server/trpc/caller";
import { queryKeys } from "../../data/prefetch";
import { makeQueryClient } from "../../data/query-client";
import { requireStaff } from "../require-staff";
import { Inbox } from "./inbox";
import { inboxQuery, loadInboxParams, toAlertFilters } from "./inbox-params";

export const metadata: Metadata = { title: "Alerts" };

export default async function InboxPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const params = loadInboxParams(await searchParams);
  await requireStaff(inboxQuery("/inbox", params));
  const { alerts } = (await consoleCaller()).console;
  const queryClient = makeQueryClient();
  const keys = queryKeys(queryClient).console.alerts;
  const filters = toAlertFilters(params);
  await Promise.all([
    queryClient.prefetchInfiniteQuery({
      queryKey: keys.list.infiniteQueryKey(filters),
      queryFn: () => alerts.list(filters),
      initialPageParam: null,
      retry: false,
    }),
    queryClient.prefetchQuery({
      queryKey: keys.channels.queryKey(),
      queryFn: () => alerts.channels(),
      retry: false,
    }),
  ]);
  return (
    <HydrationBoundary state={dehydrate(queryClient)}>
      <Inbox />
    </HydrationBoundary>
  );
}
