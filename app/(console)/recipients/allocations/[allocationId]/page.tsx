import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { AllocationView } from "@/app/(console)/recipients/allocations/allocation-view";
import type { RouteProps } from "@/app/data/page-props";
import { requireStaff } from "@/app/data/prefetcher";
import { toDomainError } from "@/server/kernel/to-domain-error";
import { consoleCaller } from "@/server/trpc/caller";
import { UUID_PATTERN } from "@/terms/batch-terms";

export const metadata: Metadata = { title: "Allocation" };

export default async function AllocationPage({ params }: RouteProps<"allocationId">) {
  const { allocationId } = await params;
  if (!UUID_PATTERN.test(allocationId)) notFound();
  await requireStaff();
  const { allocations, snapshots } = (await consoleCaller()).console;
  const allocation = await allocations.get({ allocationId }).catch((error: unknown) => {
    if (toDomainError(error).code === "allocation_not_found") notFound();
    throw error;
  });
  const snapshot = await snapshots.get({ snapshotId: allocation.snapshotId });
  return <AllocationView allocation={allocation} snapshotName={snapshot.name} />;
}
