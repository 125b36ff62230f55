import { Suspense } from "react";
import { personName } from "@/app/(console)/batches/status";
import { payPath } from "@/app/(console)/paths";
import { recipientsPath } from "@/app/(console)/recipients/snapshot-params";
import { Alert } from "@/app/ui/alert";
import { ButtonLink, TextLink } from "@/app/ui/button";
import { DataTable } from "@/app/ui/data-table";
import { HashText } from "@/app/ui/hash-text";
import { Section } from "@/app/ui/section";
import { Skeleton } from "@/app/ui/states";
import { Instant } from "@/app/ui/time";
import { fileAllocationOf, isReady, type ReadyAllocation } from "@/server/allocations/files/allocation-file";
import { FILES, type FileFormName, fileNotes, fileRefusal } from "@/server/allocations/files/files";
import type { AllocationOut, AllocationRoots } from "@/server/allocations/schema";
import { POINTS_DECIMALS } from "@/terms/points";
import { AllocationActions } from "./allocation-actions";
import { AllocationProgress } from "./allocation-progress";
import { AllocationStatus, ruleText } from "./allocation-text";
import { ClaimLookup } from "./claim-lookup";
import { Figures } from "./figures";
import { type FileRow, FileTable } from "./file-table";
import { PaymentList } from "./payment-list";

export function AllocationView({ allocation }: { allocation: AllocationOut }) {
  const { id, snapshotId, snapshotName, asOf, name, status, failure, requestedBy, requestedAt } = allocation;
  const { publishedAt, publishedBy, decimals } = allocation;
  return (
    <div className="@container mx-auto flex w-full max-w-[1200px] flex-col gap-6 p-4 md:p-6">
      <div className="flex flex-col gap-1">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <h1 className="wrap-anywhere font-semibold text-title">{name}</h1>
          <AllocationStatus {...allocation} />
          <div className="ml-auto flex flex-wrap gap-2">
            {publishedAt &&
              (decimals <= POINTS_DECIMALS ? (
                <ButtonLink href={payPath(id)}>Pay in points…</ButtonLink>
              ) : (
                <span className="self-center hint">
                  Cannot be paid in points, which have at most {POINTS_DECIMALS} decimals.
                </span>
              ))}
            <AllocationActions allocation={allocation} />
          </div>
        </div>
        <p className="wrap-anywhere text-muted text-table">
          Allocation of the snapshot{" "}
          <TextLink href={recipientsPath({ snapshot: snapshotId })}>“{snapshotName}”</TextLink>, as of{" "}
          <Instant at={asOf} />. Made by {personName(requestedBy)}, <Instant at={requestedAt} />.
          {publishedAt && publishedBy && (
            <>
              {" "}
              Published by {personName(publishedBy)}, <Instant at={publishedAt} />.
            </>
          )}
        </p>
      </div>
      {status === "RUNNING" && <AllocationProgress allocation={allocation} />}
      {status === "FAILED" && <Alert title="The allocation could not be made">{failure}</Alert>}
      <p className="wrap-anywhere text-body">{ruleText(allocation)}</p>
      {isReady(allocation) && <Result allocation={allocation} />}
    </div>
  );
}

const Result = ({ allocation }: { allocation: ReadyAllocation }) => (
  <>
    <Section title="Result">
      <Figures figures={allocation} rule={allocation.rule} decimals={allocation.decimals} />
    </Section>
    <Suspense fallback={<Skeleton className="h-24" />}>
      <PaymentList allocationId={allocation.id} />
    </Suspense>
    <Roots roots={allocation.roots} />
    <FileTable allocationId={allocation.id} files={filesOf(allocation)} />
    <ClaimLookup allocationId={allocation.id} isPublished={allocation.publishedAt !== null} />
  </>
);

const READERS = {
  openzeppelin: ["OpenZeppelin", "OpenZeppelin’s StandardMerkleTree, Hedgey, the wallet’s page and the API"],
  uniswap: ["Uniswap", "Contracts of Uniswap’s MerkleDistributor"],
  sablier: ["Sablier", "Sablier’s Merkle campaigns"],
} as const satisfies Record<keyof AllocationRoots, readonly [name: string, readBy: string]>;

function Roots({ roots }: { roots: AllocationRoots }) {
  const rows = Object.entries(READERS).map(([form, [name, readBy]]) => ({
    name,
    readBy,
    root: roots[form as keyof AllocationRoots],
  }));
  return (
    <Section title="Merkle roots" note="Each is of the same claims. A contract needs the one that it reads.">
      <DataTable
        label="Merkle roots by their readers"
        rows={rows}
        keyOf={({ name }) => name}
        columns={[
          { name: "Root", isRowHeader: true, render: ({ name }) => <b className="font-medium">{name}</b> },
          { name: "Read by", render: ({ readBy }) => <span className="wrap-anywhere">{readBy}</span> },
          {
            name: "Value",
            render: ({ name, root }) =>
              root ? (
                <HashText value={root} what={`${name} root`} form="fit" />
              ) : (
                <span className="text-muted">None: Sablier needs two recipients and counts in 128 bits.</span>
              ),
          },
        ]}
      />
    </Section>
  );
}

function filesOf(ready: ReadyAllocation): FileRow[] {
  const allocation = fileAllocationOf(ready);
  return (Object.keys(FILES) as FileFormName[]).map((form) => {
    const { name, readBy, unit } = FILES[form];
    return {
      ...{ form, name, readBy, unit },
      needsToken: "needsTokenAddress" in FILES[form],
      notes: fileNotes(form, allocation),
      refusal: fileRefusal(form, allocation),
    };
  });
}
