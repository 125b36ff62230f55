import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { toDomainError } from "@/server/kernel/to-domain-error";
import type { BatchKey } from "@/server/kernel/values/batch-schema";
import { consoleCaller } from "@/server/trpc/caller";
import { queryKeys } from "../../../../data/prefetch";
import { makeQueryClient } from "../../../../data/query-client";
import { requireStaff } from "../../../require-staff";
import { BatchView } from "../../batch/batch-view";
import { batchPath, parseBatchKey } from "../../list-params";

interface BatchPageProps {
  params: Promise<BatchKey>;
}

async function readKey({ params }: BatchPageProps) {
  const { contractAddress, batchId } = await params;
  return parseBatchKey(`${contractAddress}/${decodeURIComponent(batchId)}`);
}

export async function generateMetadata(props: BatchPageProps): Promise<Metadata> {
  return { title: (await readKey(props))?.batchId ?? "Batch not found" };
}

export default async function BatchPage(props: BatchPageProps) {
  const key = await readKey(props);
  if (!key) notFound();
  await requireStaff(batchPath({ contractAddress: key.contractAddress, id: key.batchId }));

  const caller = await consoleCaller();
  const queryClient = makeQueryClient();
  const keys = queryKeys(queryClient).console.batches;
  const [batch] = await Promise.allSettled([
    caller.console.batches.get(key).then((found) => queryClient.setQueryData(keys.get.queryKey(key), found)),
    caller.console.batches
      .transfers(key)
      .then((rows) => queryClient.setQueryData(keys.transfers.queryKey(key), rows)),
  ]);
  if (batch.status === "rejected" && toDomainError(batch.reason).code === "batch_not_found") notFound();
  return (
    <HydrationBoundary state={dehydrate(queryClient)}>
      <div className="mx-auto w-full max-w-[1040px]">
        <BatchView {...key} />
      </div>
    </HydrationBoundary>
  );
}
