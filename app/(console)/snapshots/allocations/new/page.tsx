import { Lock } from "lucide-react";
import type { Metadata } from "next";
import { createLoader } from "nuqs/server";
import { text } from "@/app/(console)/batches/list-params";
import { TYPE_LABELS } from "@/app/(console)/batches/status";
import { unlessMissing } from "@/app/(console)/reads";
import { AllocationForm } from "@/app/(console)/snapshots/allocations/allocation-form";
import { snapshotsPath } from "@/app/(console)/snapshots/snapshot-params";
import type { PageProps } from "@/app/data/page-props";
import { requireStaff } from "@/app/data/prefetcher";
import { Amount, counted } from "@/app/ui/amount";
import { ButtonLink, TextLink } from "@/app/ui/button";
import { EmptyState, NotFound } from "@/app/ui/states";
import { Instant } from "@/app/ui/time";
import { consoleCaller } from "@/server/trpc/caller";
import { UUID_PATTERN } from "@/terms/batch-terms";

export const metadata: Metadata = { title: "New allocation" };

const loadParams = createLoader({ snapshot: text(UUID_PATTERN) });

export default async function NewAllocationPage({ searchParams }: PageProps) {
  const { snapshot: snapshotId } = await loadParams(searchParams);
  const { role } = await requireStaff();
  if (role === "viewer")
    return (
      <EmptyState icon={Lock} heading="h1" title="You need the operator role">
        Viewers can see allocations but cannot make them. Ask an admin to change your role.
        <ButtonLink href={snapshotsPath({ snapshot: snapshotId })}>View snapshots</ButtonLink>
      </EmptyState>
    );
  const { snapshots } = (await consoleCaller()).console;
  const snapshot = snapshotId
    ? await unlessMissing(snapshots.get({ snapshotId }), "snapshot_not_found")
    : null;
  if (snapshot?.status !== "TAKEN")
    return (
      <NotFound title="Snapshot not found" href={snapshotsPath()} link="View snapshots">
        An allocation is made from a snapshot. Choose one under Snapshots, then “New allocation…”.
      </NotFound>
    );
  const { id, name, asOf, points } = snapshot;
  const who = counted(snapshot.holders, "holder", "holders");
  const unit = TYPE_LABELS[snapshot.pointType].toLowerCase();
  return (
    <div className="@container mx-auto flex w-full max-w-[880px] flex-col gap-4 p-4 md:p-6">
      <div>
        <h1 className="font-semibold text-title">New allocation</h1>
        <p className="wrap-anywhere text-muted text-table">
          From the snapshot <TextLink href={snapshotsPath({ snapshot: id })}>“{name}”</TextLink>, as of{" "}
          <Instant at={asOf} />: {who} of <Amount value={points} wraps /> {unit}
        </p>
      </div>
      <AllocationForm snapshotId={id} held={unit} />
    </div>
  );
}
