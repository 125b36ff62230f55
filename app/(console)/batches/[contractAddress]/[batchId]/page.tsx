import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { BatchView } from "@/app/(console)/batches/batch/batch-view";
import { readBatch, requireStaff } from "@/app/(console)/reads";
import { queryKeys } from "@/app/data/prefetcher";
import type { BatchKey } from "@/server/kernel/values/batch-schema";
import { consoleCaller } from "@/server/trpc/caller";
import { makeQueryClient } from "../../../../data/query-client";
import { batchPath, readBatchKey } from "../../paths";

interface BatchPageProps {
  params: Promise<BatchKey>;
}

export async function generateMetadata({ params }: BatchPageProps): Promise<Metadata> {
  const key = readBatchKey(await params);
  const batch = key && (await readBatch(key.contractAddress, key.batchId).catch(() => null));
  return { title: batch ? `${batch.id} · ${batch.contractLabel}` : (key?.batchId ?? "Batch not found") };
}

export default async function BatchPage({ params }: BatchPageProps) {
  const key = readBatchKey(await params);
  if (!key) notFound();
  await requireStaff(batchPath(key));

  const caller = await consoleCaller();
  const queryClient = makeQueryClient();
  const keys = queryKeys(queryClient).console.batches;
  await Promise.allSettled([
    readBatch(key.contractAddress, key.batchId).then((found) =>
      queryClient.setQueryData(keys.get.queryKey(key), found),
    ),
    caller.console.batches
      .transfers(key)
      .then((rows) => queryClient.setQueryData(keys.transfers.queryKey(key), rows)),
  ]);
  return (
    <HydrationBoundary state={dehydrate(queryClient)}>
      <div className="mx-auto w-full max-w-[1040px]">
        <BatchView {...key} />
      </div>
    </HydrationBoundary>
  );
}
