import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { JobView } from "@/app/(console)/batches/jobs/job-view";
import { prefetcher } from "@/app/data/prefetcher";
import { toRepeatableError } from "@/server/kernel/to-domain-error";
import { UUID_PATTERN } from "@/terms/batch-terms";

export const metadata: Metadata = { title: "Bulk job" };

export default async function BulkJobPage({ params }: { params: Promise<{ jobId: string }> }) {
  const { jobId } = await params;
  if (!UUID_PATTERN.test(jobId)) notFound();
  const { caller, keys, read, hydrate } = await prefetcher();
  const key = keys.bulk.get.queryKey({ jobId });
  const found = caller.bulk.get({ jobId });
  await read(key, () => found);
  const problem = await found.then(() => null, toRepeatableError);
  if (problem?.code === "not_found") notFound();
  return hydrate(<JobView jobId={jobId} />);
}
