import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { readBatchKey } from "@/app/(console)/batch-key";
import { PayoutView } from "@/app/(console)/batches/payout/payout-view";
import { readPayout } from "@/app/(console)/reads";
import type { RouteProps } from "@/app/data/page-props";
import { prefetcher } from "@/app/data/prefetcher";

type PayoutPageProps = RouteProps<"contractAddress" | "payoutId">;

async function keyOf({ params }: PayoutPageProps) {
  const { contractAddress, payoutId } = await params;
  const key = readBatchKey({ contractAddress, batchId: payoutId });
  return key && { contractAddress: key.contractAddress, payoutId: key.batchId };
}

export async function generateMetadata(props: PayoutPageProps): Promise<Metadata> {
  const key = await keyOf(props);
  const payout = key && (await readPayout(key.contractAddress, key.payoutId).catch(() => null));
  return { title: payout ? `${payout.name} · ${payout.contractLabel}` : "Payout not found" };
}

export default async function PayoutPage(props: PayoutPageProps) {
  const key = await keyOf(props);
  if (!key) notFound();
  const { keys, read, hydrate } = await prefetcher();
  await read(keys.payouts.get.queryKey(key), () => readPayout(key.contractAddress, key.payoutId));
  return hydrate(
    <div className="mx-auto w-full max-w-[1200px]">
      <PayoutView {...key} />
    </div>,
  );
}
