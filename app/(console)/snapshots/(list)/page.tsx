import { Camera } from "lucide-react";
import type { Metadata } from "next";
import { unlessMissing } from "@/app/(console)/reads";
import { DeleteButton } from "@/app/(console)/snapshots/delete-button";
import { JobProgress } from "@/app/(console)/snapshots/job-progress";
import { InvalidScope, ScopeChoice } from "@/app/(console)/snapshots/scope-choice";
import { SnapshotList } from "@/app/(console)/snapshots/snapshot-list";
import { loadSnapshotParams, snapshotsPath } from "@/app/(console)/snapshots/snapshot-params";
import { SnapshotDetails, SnapshotSummary } from "@/app/(console)/snapshots/snapshot-view";
import { TakeButton } from "@/app/(console)/snapshots/take-button";
import { invalidNames } from "@/app/data/invalid-names";
import type { PageProps } from "@/app/data/page-props";
import { prefetcher } from "@/app/data/prefetcher";
import { Alert } from "@/app/ui/alert";
import { counted } from "@/app/ui/amount";
import { TextLink } from "@/app/ui/button";
import { EmptyState, NotFound } from "@/app/ui/states";
import type { ConsoleSnapshot } from "@/server/snapshots/console-snapshots";

export const metadata: Metadata = { title: "Snapshots" };

export default async function SnapshotsPage({ searchParams }: PageProps) {
  const query = await searchParams;
  const params = loadSnapshotParams(query);
  const { person, caller, keys, read, hydrate } = await prefetcher();
  const sent = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  if (invalidNames(sent, params).length > 0) return <InvalidScope />;

  const { snapshots, allocations } = caller;
  const chosen = params.snapshot
    ? await unlessMissing(snapshots.get({ snapshotId: params.snapshot }), "snapshot_not_found")
    : undefined;
  if (chosen === null)
    return (
      <NotFound title="Snapshot not found" href={snapshotsPath()} link="View snapshots">
        Check the ID in the link. Someone may have deleted the snapshot; the audit log says who.
      </NotFound>
    );
  const scope = chosen
    ? { contractAddress: chosen.contractAddress, pointType: chosen.pointType }
    : { contractAddress: params.contract, pointType: params.type ?? "PHASE2_POINTS" };
  const [all, allocated] = await Promise.all([snapshots.list(scope), allocations.list(scope)]);
  const newest = newestOf(all);
  const shown = chosen ?? newest;
  const running = all.find(({ status }) => status === "RUNNING");
  const making = allocated.find(({ status }) => status === "RUNNING");
  const taken = shown?.status === "TAKEN" ? shown : null;
  if (taken) {
    const key = { snapshotId: taken.id };
    await read(keys.snapshots.largest.queryKey(key));
  }
  return hydrate(
    <div className="@container mx-auto flex w-full max-w-[1200px] flex-col gap-6 p-4 md:p-6">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <h1 className="font-semibold text-title">Snapshots</h1>
        <ScopeChoice {...scope} />
        <TakeButton {...scope} />
      </div>
      {running && (
        <JobProgress>
          Taking the snapshot “{running.name}”. {counted(running.holders, "holder", "holders")} stored.
        </JobProgress>
      )}
      {making && <JobProgress>Making the allocation “{making.name}”.</JobProgress>}
      {chosen?.status === "FAILED" && (
        <Alert title={`The snapshot “${chosen.name}” could not be taken`}>{chosen.failure}</Alert>
      )}
      {chosen && chosen.status !== "TAKEN" && <DeleteButton snapshot={chosen} />}
      {taken && (
        <SnapshotSummary
          snapshot={taken}
          mayAllocate={person.role !== "viewer" && taken.holders > 0}
          neededBy={allocated.find(
            ({ snapshotId, publishedAt }) => snapshotId === taken.id && publishedAt !== null,
          )}
          note={
            newest &&
            taken.id !== newest.id && (
              <>
                · not the newest ·{" "}
                <TextLink href={snapshotsPath({ type: scope.pointType, contract: scope.contractAddress })}>
                  View the newest
                </TextLink>
              </>
            )
          }
        />
      )}
      {all.length === 0 && <NoSnapshots />}
      {all.length > 0 && <SnapshotList snapshots={all} allocations={allocated} shownId={shown?.id} />}
      {taken && <SnapshotDetails snapshot={taken} />}
    </div>,
  );
}

/** By the time that it is of. The list is sorted by the time of the request. */
const newestOf = (snapshots: readonly ConsoleSnapshot[]) =>
  snapshots
    .filter(({ status }) => status === "TAKEN")
    .toSorted((one, other) => Date.parse(other.asOf) - Date.parse(one.asOf))[0];

const NoSnapshots = () => (
  <EmptyState icon={Camera} title="No snapshots yet">
    <p>
      A snapshot freezes who holds how many points at one time. It is complete and exact, adds up to the
      ledger, and never changes.
    </p>
    <p>
      Take one to see how points are spread, to compare two dates, or to give holders points or tokens.{" "}
      <TextLink href="/docs/snapshots">How snapshots work</TextLink>
    </p>
  </EmptyState>
);
