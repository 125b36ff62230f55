import { Suspense } from "react";
import { personName } from "@/app/(console)/batches/status";
import { payPath } from "@/app/(console)/paths";
import { JobProgress } from "@/app/(console)/snapshots/job-progress";
import { snapshotsPath } from "@/app/(console)/snapshots/snapshot-params";
import { Alert } from "@/app/ui/alert";
import { ButtonLink, TextLink } from "@/app/ui/button";
import { Section } from "@/app/ui/section";
import { Skeleton } from "@/app/ui/states";
import { Instant } from "@/app/ui/time";
import { fileAllocationOf, isReady, type ReadyAllocation } from "@/server/allocations/files/allocation-file";
import { FILES, type FileFormName, fileNotes, fileRefusal, fitsUnit } from "@/server/allocations/files/files";
import type { AllocationOut, AllocationRoots } from "@/server/allocations/schema";
import { PAYERS, type Payer, unitName, unitOf } from "@/terms/claims/payers";
import { POINTS_DECIMALS } from "@/terms/points";
import { AllocationActions, AllocationHeading } from "./allocation-actions";
import { AllocationStatus, ruleText } from "./allocation-text";
import { ClaimLookup } from "./claim-lookup";
import { Figures } from "./figures";
import { type FileRow, FileTable } from "./file-table";
import { PaymentList } from "./payment-list";

export function AllocationView({ allocation }: { allocation: AllocationOut }) {
  const { id, snapshotId, snapshotName, asOf, name, status, failure, requestedBy, requestedAt } = allocation;
  const { publishedAt, publishedBy, payer, decimals } = allocation;
  const isPayable = unitOf(payer) !== "tokens" && decimals <= POINTS_DECIMALS;
  return (
    <div className="@container mx-auto flex w-full max-w-[1200px] flex-col gap-6 p-4 md:p-6">
      <div className="flex flex-col gap-1">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <AllocationHeading name={name} />
          <AllocationStatus {...allocation} />
          <div className="ml-auto flex flex-wrap gap-2">
            {publishedAt && isPayable && (
              <ButtonLink href={payPath(id)} variant="primary">
                Pay in {payer ? unitName(payer) : "points"}…
              </ButtonLink>
            )}
            <AllocationActions allocation={allocation} />
          </div>
        </div>
        <p className="wrap-anywhere text-muted text-table">
          Allocation of the snapshot{" "}
          <TextLink href={snapshotsPath({ snapshot: snapshotId })}>“{snapshotName}”</TextLink>, as of{" "}
          <Instant at={asOf} />. Made by {personName(requestedBy)}, <Instant at={requestedAt} />.
          {publishedAt && publishedBy && (
            <>
              {" "}
              Published by {personName(publishedBy)}, <Instant at={publishedAt} />.
            </>
          )}
        </p>
      </div>
      {status === "RUNNING" && (
        <JobProgress>
          Computing the claims and their Merkle trees. A million holders take about a minute.
        </JobProgress>
      )}
      {status === "FAILED" && <Alert title="The allocation could not be made">{failure}</Alert>}
      <p className="wrap-anywhere text-body">
        {ruleText(allocation)}
        {status === "READY" && !publishedAt && " Publish it before you pay it: until then it can be deleted."}
      </p>
      {publishedAt && payer && unitOf(payer) === "tokens" && <NextStep payer={payer} />}
      {isReady(allocation) && <Result allocation={allocation} />}
    </div>
  );
}

/** Of tokens, which are not paid here. */
function NextStep({ payer }: { payer: Payer }) {
  const { name, root, files } = PAYERS[payer];
  const upload = `upload the file below to ${name}${root ? ", and compare the Merkle roots" : ""}.`;
  const deploy =
    "deploy your contract with the Merkle root below. Recipients claim with proofs from the file.";
  return (
    <p className="wrap-anywhere font-medium text-body">
      Next: {root && FILES[files[0]].unit === "base units" ? deploy : upload}{" "}
      <TextLink href="/docs/claims#5-let-everybody-check">How recipients check it</TextLink>
    </p>
  );
}

function Result({ allocation }: { allocation: ReadyAllocation }) {
  const { id, payer } = allocation;
  return (
    <>
      <Section title="Result">
        <Figures figures={allocation} of={allocation} />
      </Section>
      {unitOf(payer) !== "tokens" && (
        <Suspense fallback={<Skeleton className="h-24" />}>
          <PaymentList allocationId={id} />
        </Suspense>
      )}
      <FileTable allocationId={id} files={filesOf(allocation)} />
      <ClaimLookup allocation={allocation} />
    </>
  );
}

const READERS = {
  openzeppelin: "OpenZeppelin",
  uniswap: "Uniswap",
  sablier: "Sablier",
} as const satisfies Record<keyof AllocationRoots, string>;

/** Those that its unit allows. Points have no address of a token. */
function filesOf(ready: ReadyAllocation): FileRow[] {
  const { payer, roots, decimals } = ready;
  const allocation = fileAllocationOf(ready);
  const needsToken = (form: FileFormName) => FILES[form].needsTokenAddress === true;
  const forms = (Object.keys(FILES) as FileFormName[]).filter(
    (form) => fitsUnit(FILES[form], payer) && !(needsToken(form) && unitOf(payer) === "points"),
  );
  const own: readonly FileFormName[] = payer ? PAYERS[payer].files : forms;
  return [...new Set([...own, ...forms])].map((form) => {
    const { name, readBy, unit, root: readRoot } = FILES[form];
    const root = payer && own.includes(form) ? PAYERS[payer].root : readRoot;
    const value = root ? roots[root] : null;
    return {
      ...{ form, name, readBy, isOwn: own.includes(form) },
      unit: unit === "base units" ? `${unit} (× 10^${decimals})` : payer ? unitName(payer) : unit,
      root: root && value ? { name: READERS[root], value } : null,
      needsToken: needsToken(form),
      notes: fileNotes(form, allocation),
      refusal: fileRefusal(form, allocation),
    };
  });
}
