import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { readBatchKey } from "@/app/(console)/batch-key";
import { BatchView } from "@/app/(console)/batches/batch/batch-view";
import { readBatch } from "@/app/(console)/reads";
import type { RouteProps } from "@/app/data/page-props";
import { prefetcher } from "@/app/data/prefetcher";

type BatchPageProps = RouteProps<"contractAddress" | "batchId">;

export async function generateMetadata({ params }: BatchPageProps): Promise<Metadata> {
  const key = readBatchKey(await params);
  const batch = key && (await readBatch(key.contractAddress, key.batchId).catch(() => null));
  return { title: batch ? `${batch.id} · ${batch.contractLabel}` : (key?.batchId ?? "Batch not found") };
}

export default async function BatchPage({ params }: BatchPageProps) {
  const key = readBatchKey(await params);
  if (!key) notFound();
  const { keys, read, hydrate } = await prefetcher();
  const { get, transfers } = keys.batches;
  await Promise.all([
    read(get.queryKey(key), () => readBatch(key.contractAddress, key.batchId)),
    read(transfers.queryKey(key)),
  ]);
  return hydrate(
    <div className="mx-auto w-full max-w-[1040px]">
      <BatchView {...key} />
    </div>,
  );
}
