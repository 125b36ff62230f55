import { notFound } from "next/navigation";
import { readBatchKey } from "@/app/(console)/batch-key";
import { readBatch, readOrNotFound } from "@/app/(console)/reads";
import type { LayoutProps } from "@/app/data/page-props";

export default async function BatchLayout({ params, children }: LayoutProps<"contractAddress" | "batchId">) {
  const key = readBatchKey(await params);
  if (!key) notFound();
  await readOrNotFound(readBatch(key.contractAddress, key.batchId), "batch_not_found");
  return children;
}
