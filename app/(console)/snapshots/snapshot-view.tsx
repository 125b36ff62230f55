import { type ReactNode, Suspense } from "react";
import { personName } from "@/app/(console)/batches/status";
import { allocationPath, newAllocationPath, snapshotCsvPath } from "@/app/(console)/paths";
import { HolderTable } from "@/app/(console)/snapshots/holder-table";
import { SnapshotChanges } from "@/app/(console)/snapshots/snapshot-changes";
import { SpreadPlots } from "@/app/(console)/snapshots/spread-plots";
import { Amount, counted } from "@/app/ui/amount";
import { ButtonLink, DownloadLink, TextLink } from "@/app/ui/button";
import { CopyButton } from "@/app/ui/copy-button";
import { Section } from "@/app/ui/section";
import { Skeleton } from "@/app/ui/states";
import { Instant } from "@/app/ui/time";
import type { AllocationOut } from "@/server/allocations/schema";
import type { ConsoleSnapshot } from "@/server/snapshots/console-snapshots";
import { DeleteButton } from "./delete-button";

/** How the holdings of a snapshot that is TAKEN are spread, how they changed, and whose they are. */
export const SnapshotDetails = ({ snapshot }: { snapshot: ConsoleSnapshot }) => (
  <>
    {snapshot.holders > 0 && (
      <Suspense key={`spread ${snapshot.id}`} fallback={<Skeleton className="h-72" />}>
        <SpreadPlots snapshot={snapshot} />
      </Suspense>
    )}
    <Suspense key={`change ${snapshot.id}`} fallback={<Skeleton className="h-48" />}>
      <SnapshotChanges snapshot={snapshot} />
    </Suspense>
    {snapshot.holders > 0 && <HolderTable key={snapshot.id} snapshot={snapshot} />}
  </>
);

interface SnapshotSummaryProps {
  /** TAKEN. */
  snapshot: ConsoleSnapshot;
  note: ReactNode;
  /** Whether the person may make an allocation of it. */
  mayAllocate: boolean;
  /** A published allocation of it, so that it is never deleted. */
  neededBy: AllocationOut | undefined;
}

export function SnapshotSummary({ snapshot, note, mayAllocate, neededBy }: SnapshotSummaryProps) {
  const { id, name, asOf, digest, includesContracts } = snapshot;
  const { contractAddress, contractLabel, requestedBy } = snapshot;
  return (
    <Section
      title={`“${name}”`}
      note={
        <>
          as of <Instant at={asOf} />,{" "}
          {contractAddress === null ? "over all contracts" : `of ${contractLabel ?? contractAddress}`}
          {includesContracts && ", with registered contracts"}, taken by {personName(requestedBy)} {note}
        </>
      }
      actions={
        <>
          {mayAllocate && (
            <ButtonLink href={newAllocationPath(id)} size="small">
              New allocation…
            </ButtonLink>
          )}
          <DownloadLink href={snapshotCsvPath(id)} title="Every holder by address" size="small">
            Download CSV
          </DownloadLink>
          {neededBy ? (
            <span className="wrap-anywhere hint">
              Kept for good: the published allocation{" "}
              <TextLink href={allocationPath(neededBy.id)}>“{neededBy.name}”</TextLink> needs it.
            </span>
          ) : (
            <DeleteButton snapshot={snapshot} />
          )}
        </>
      }
    >
      <div className="card flex min-w-0 flex-col gap-4 p-4">
        <Equation snapshot={snapshot} />
        <p className="flex flex-wrap items-center gap-x-2 text-table">
          <span className="text-muted">SHA-256 digest</span>
          <CopyButton value={digest ?? ""} what="digest" />
        </p>
      </div>
    </Section>
  );
}

/** What holders and contracts hold, against a total that was computed apart from them. */
function Equation({ snapshot }: { snapshot: ConsoleSnapshot }) {
  const { holders, points, leftOut, ledgerTotal, contractAddress } = snapshot;
  return (
    <p className="wrap-anywhere text-body">
      <Term amount={points}>held by {counted(holders, "holder", "holders")}</Term>
      {" + "}
      <Term amount={leftOut}>held by registered contracts that are left out</Term>
      {" = "}
      <Term amount={ledgerTotal}>
        {contractAddress ? "paid by the contract and not taken back" : "in the ledger at that time"}
      </Term>
    </p>
  );
}

const Term = ({ amount, children }: { amount: string | null; children: ReactNode }) => (
  <>
    <Amount value={amount ?? "0"} wraps className="font-medium" />{" "}
    <span className="text-muted">{children}</span>
  </>
);
