import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { requireStaff } from "@/app/(console)/reads";
import { queryKeys } from "@/app/data/prefetcher";
import { consoleCaller } from "@/server/trpc/caller";
import { makeQueryClient } from "../../../data/query-client";
import { JobList } from "./job-list";

export const metadata: Metadata = { title: "Bulk jobs" };

export default async function BulkJobsPage() {
  await requireStaff("/batches/jobs");
  const caller = await consoleCaller();
  const queryClient = makeQueryClient();
  await queryClient.prefetchQuery({
    queryKey: queryKeys(queryClient).console.bulk.recent.queryKey(),
    queryFn: () => caller.console.bulk.recent(),
    retry: false,
  });
  return (
    <HydrationBoundary state={dehydrate(queryClient)}>
      <JobList />
    </HydrationBoundary>
  );
}
