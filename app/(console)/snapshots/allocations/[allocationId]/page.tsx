import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { readAllocation, unlessMissing } from "@/app/(console)/reads";
import { AllocationView } from "@/app/(console)/snapshots/allocations/allocation-view";
import type { RouteProps } from "@/app/data/page-props";
import { prefetcher } from "@/app/data/prefetcher";
import { UUID_PATTERN } from "@/terms/batch-terms";

export const metadata: Metadata = { title: "Allocation" };

export default async function AllocationPage({ params }: RouteProps<"allocationId">) {
  const { allocationId } = await params;
  if (!UUID_PATTERN.test(allocationId)) notFound();
  const { keys, read, hydrate } = await prefetcher();
  const allocation = await unlessMissing(readAllocation(allocationId), "allocation_not_found");
  if (!allocation) notFound();
  // For the breadcrumb.
  await read(keys.allocations.get.queryKey({ allocationId }), async () => allocation);
  return hydrate(<AllocationView allocation={allocation} />);
}
