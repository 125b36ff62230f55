import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { requireStaff } from "@/app/(console)/reads";
import { queryKeys } from "@/app/data/prefetcher";
import { toDomainError } from "@/server/kernel/to-domain-error";
import { UUID_PATTERN } from "@/server/kernel/values/batch-terms";
import { consoleCaller } from "@/server/trpc/caller";
import { makeQueryClient } from "../../../../data/query-client";
import { jobPath } from "../../paths";
import { JobView } from "../job-view";

export const metadata: Metadata = { title: "Bulk job" };

export default async function BulkJobPage({ params }: { params: Promise<{ jobId: string }> }) {
  const { jobId } = await params;
  if (!UUID_PATTERN.test(jobId)) notFound();
  await requireStaff(jobPath(jobId));
  const caller = await consoleCaller();
  const queryClient = makeQueryClient();
  const key = queryKeys(queryClient).console.bulk.get.queryKey({ jobId });
  const [job] = await Promise.allSettled([
    caller.console.bulk.get({ jobId }).then((found) => queryClient.setQueryData(key, found)),
  ]);
  if (job.status === "rejected" && toDomainError(job.reason).code === "not_found") notFound();
  return (
    <HydrationBoundary state={dehydrate(queryClient)}>
      <JobView jobId={jobId} />
    </HydrationBoundary>
  );
}
