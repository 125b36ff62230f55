import { notFound } from "next/navigation";
import type { ReactNode } from "react";
import { readBatch, readOrNotFound } from "@/app/(console)/reads";
import type { BatchKey } from "@/server/kernel/values/batch-schema";
import { readBatchKey } from "../../paths";

export default async function BatchLayout({
  params,
  children,
}: {
  params: Promise<BatchKey>;
  children: ReactNode;
}) {
  const key = readBatchKey(await params);
  if (!key) notFound();
  await readOrNotFound(readBatch(key.contractAddress, key.batchId), "batch_not_found");
  return children;
}
