import { notFound } from "next/navigation";
import { readBatchKey } from "@/app/(console)/batch-key";
import { readOrNotFound, readPayout } from "@/app/(console)/reads";
import type { LayoutProps } from "@/app/data/page-props";

type PayoutLayoutProps = LayoutProps<"contractAddress" | "payoutId">;

export default async function PayoutLayout({ params, children }: PayoutLayoutProps) {
  const { contractAddress, payoutId } = await params;
  const key = readBatchKey({ contractAddress, batchId: payoutId });
  if (!key) notFound();
  await readOrNotFound(readPayout(key.contractAddress, key.batchId), "payout_not_found");
  return children;
}
