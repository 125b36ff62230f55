"use client";
import { useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { Coins, FileText, Layers, type LucideIcon, Replace } from "lucide-react";
import dynamic from "next/dynamic";
import { type ReactNode, type SubmitEvent, useEffect, useMemo, useState } from "react";
import { flushSync } from "react-dom";
import { BatchIdLink } from "@/app/(console)/batch-link";
import {
  ColumnFields,
  idError,
  idHint,
  MetadataFields,
  type MetadataRow,
  metadataRowError,
  PARTS_MAX,
  proposeId,
  SelectField,
} from "@/app/(console)/batches/new/prepare/batch-fields";
import { TYPE_LABELS } from "@/app/(console)/batches/status";
import { defaultWaitSeconds, readWait, WaitField, waitOf } from "@/app/(console)/batches/wait-field";
import { allocationFilePath, allocationPath } from "@/app/(console)/paths";
import { useStaff } from "@/app/(console)/staff";
import { correctionCsv } from "@/app/(console)/transfers-csv";
import { Button, ButtonLink, TextLink } from "@/app/ui/button";
import { Choices, submitOnKeys, TextField } from "@/app/ui/fields";
import { formatDay } from "@/app/ui/format-time";
import { shortenHash } from "@/app/ui/hash-text";
import { useWindowEvent } from "@/app/ui/hooks";
import { EmptyState, QueryError, Skeleton } from "@/app/ui/states";
import { useTimeZone } from "@/app/ui/time";
import type { AllocationOut } from "@/server/allocations/schema";
import type { Correction } from "@/server/batches/change/describe-correction";
import type { ConsoleContractDetail } from "@/server/contracts/schema";
import type { ConsolePayout } from "@/server/payouts/read-payout";
import { POINT_TYPES, type PointType, sortedMetadata } from "@/terms/batch-terms";
import { PAYERS } from "@/terms/claims/payers";
import type { Checked, FileError } from "@/terms/file/checked";
import { crc32 } from "@/terms/file/crc32";
import type { Plan } from "./plan/plan";
import { CheckResult } from "./prepare/check-result";
import { Decisions, decisionsOf } from "./prepare/decisions";
import { payRefusal } from "./prepare/pay-allocation";
import { PASTED, Source, type SourceState, selectLine } from "./prepare/source";
import { useFile } from "./prepare/use-file";
import { REVIEW_STEP, useLeaveWarning } from "./use-leave-warning";

const PlanView = dynamic(() => import("./plan/plan-view"), {
  loading: () => <Skeleton className="h-80 w-full" />,
});

/** Of an allocation's ID, in the IDs of the batches that pay it. */
const ID_CHARS = 8;

/** Receives the focus on return from the review. */
const REVIEW_ID = "review";

export interface ContinuedPayout
  extends Pick<ConsolePayout, "id" | "contractAddress" | "name" | "corrects" | "metadata"> {
  pointType: PointType;
  waitSeconds: number;
}

type ContractChoice = Pick<ConsoleContractDetail, "address" | "label" | "issuance" | "defaultWaitSeconds">;

interface PrepareFormProps {
  contracts: readonly ContractChoice[];
  correction: Correction | null;
  /** Paid with its own amounts and references. */
  allocation: AllocationOut | null;
  /** The rows that the page is opened with. */
  first: File | null;
  /** The unfinished payout to continue: its file has to be chosen again. */
  continued: ContinuedPayout | null;
}

/** @param children above the form, and not above the review */
export function NewBatch({ children, ...props }: Omit<PrepareFormProps, "first"> & { children: ReactNode }) {
  const { contracts, correction, continued, allocation } = props;
  const { limits } = useStaff();
  const [plan, setPlan] = useState<Plan | null>(null);
  useEffect(() => {
    // A page that is loaded has nothing to review.
    if (location.hash === REVIEW_STEP) history.replaceState(history.state, "", location.href.split("#")[0]);
  }, []);
  /** As a step of its own in the browser's history, so that Back returns to the rows. */
  const review = (made: Plan) => {
    // In place of a link within the page, such as "Skip to content".
    if (location.hash !== REVIEW_STEP)
      history[location.hash ? "replaceState" : "pushState"](null, "", REVIEW_STEP);
    setPlan(made);
  };
  /** Back to the form as it was left. */
  const back = () => {
    flushSync(() => setPlan(null));
    document.getElementById(REVIEW_ID)?.focus();
  };

  // The cancelled rows in the service's own format, so that the file needs no choices.
  const [corrected] = useState(
    () => correction && new File([correctionCsv(correction)], `${correction.corrects}.csv`),
  );
  const claims = useClaims(allocation?.publishedAt ? allocation : null);

  if (contracts.length === 0)
    return (
      <EmptyState icon={Layers} title="No contracts yet">
        Each batch belongs to a contract. An admin can register the first one.
        <ButtonLink href="/contracts">View contracts</ButtonLink>
      </EmptyState>
    );
  const refusal = allocation && payRefusal(allocation, limits);
  if (refusal)
    return (
      <EmptyState icon={Coins} title="This allocation cannot be paid in points">
        <p>{refusal}</p>
        <ButtonLink href={allocationPath(allocation.id)}>View allocation</ButtonLink>
      </EmptyState>
    );
  if (claims.isPending && allocation) return <Skeleton className="h-80 w-full" />;
  if (claims.isError) return <QueryError query={claims} />;
  return (
    <>
      {plan === null && children}
      {correction && (
        <Origin icon={Replace}>
          Correction of the cancelled batch{" "}
          <BatchIdLink contractAddress={correction.contractAddress} id={correction.corrects} />. It is
          submitted as a new batch, and the two are linked.
        </Origin>
      )}
      {plan === null && allocation && (
        <Origin icon={Coins}>
          The rows are the holders of the published allocation{" "}
          <TextLink href={allocationPath(allocation.id)}>“{allocation.name}”</TextLink>. A contract pays each
          holder once, also if you submit them again. Another contract would pay them again.
        </Origin>
      )}
      {plan === null && continued && (
        <Origin icon={FileText}>
          Choose {continued.name} again to submit the rest of it. Batches that are already submitted are not
          submitted again.
        </Origin>
      )}
      <PrepareForm
        {...props}
        first={corrected ?? claims.data ?? null}
        hidden={plan !== null}
        onPlan={review}
      />
      {plan && <PlanView plan={plan} onBack={back} />}
    </>
  );
}

/** What the rows are of. */
const Origin = ({ icon: Icon, children }: { icon: LucideIcon; children: ReactNode }) => (
  <p className="note mb-4 flex-nowrap items-start gap-x-2 border border-line bg-surface">
    <Icon size={14} className="mt-[3px] shrink-0 text-muted" />
    <span className="wraps">{children}</span>
  </p>
);

/** The claims as a file that New payout reads without choices. */
function useClaims(allocation: AllocationOut | null) {
  return useQuery({
    queryKey: ["claims to pay", allocation?.id],
    queryFn: async ({ signal }) => {
      const reply = await fetch(allocationFilePath(allocation!.id, "pay"), { signal });
      if (!reply.ok) throw new Error(`status ${reply.status}`);
      return new File([await reply.blob()], `${allocation!.name}.csv`);
    },
    enabled: allocation !== null,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

const typeOf = (allocation: AllocationOut | null) => allocation?.payer && PAYERS[allocation.payer].pointType;

/** An allocation whose unit is not known is mostly paid in the other type than it is made of. */
const otherType = (allocation: AllocationOut | null): PointType =>
  allocation?.pointType === "PHASE2_POINTS" ? "PHASE2_GOLD" : "PHASE2_POINTS";

/** What the form has so far, and the plan once nothing is missing. */
function usePreparation({ correction, allocation, first, continued, ...props }: PrepareFormProps) {
  const { limits } = useStaff();
  const { zone } = useTimeZone();
  const stored = correction ?? continued;
  const corrects = stored?.corrects ?? undefined;
  const contracts = corrects
    ? props.contracts.filter(({ address }) => address === stored?.contractAddress)
    : props.contracts;
  const onlyOne = contracts.length === 1 ? contracts[0] : undefined;
  // With several contracts the user must choose: the sender is never guessed.
  const [options, setOptions] = useState({
    contractAddress: stored?.contractAddress ?? onlyOne?.address ?? "",
    pointType: stored?.pointType ?? typeOf(allocation) ?? otherType(allocation),
    /** Null until somebody changes it: then the contract's default applies. */
    wait: stored && waitOf(stored.waitSeconds),
  });
  const [source, setSource] = useState<SourceState>({ way: "file", text: "", name: PASTED });
  const [written, setWritten] = useState(correction?.batchId ?? continued?.id ?? null);
  const [metadata, setMetadata] = useState<readonly MetadataRow[]>(() => sortedMetadata(stored?.metadata));
  const file = useFile({ ...options, limits }, first);
  const { loaded, checked } = file;
  const [typedBy, setTypedBy] = useState(file.id);
  if (typedBy !== file.id) {
    setTypedBy(file.id);
    // Rows of another type than the batch's are errors.
    if (loaded?.pointType && !typeOf(allocation)) setOptions({ ...options, pointType: loaded.pointType });
  }
  const mark = useMemo(() => crc32(new TextEncoder().encode(source.text.trim())).toString(36), [source.text]);
  const day = formatDay(Date.now(), zone);
  // A second attempt proposes the same IDs: of an allocation without the day, and of pasted rows, which all
  // have one name, with a mark that other rows do not have.
  const ending = allocation?.id.slice(0, ID_CHARS) ?? (loaded?.name === PASTED ? `${day}-${mark}` : day);
  const contract = contracts.find(({ address }) => address === options.contractAddress);
  const idPrefix = written ?? (loaded ? proposeId(loaded.name, ending) : "");
  const partCount = Math.max(1, checked?.parts.length ?? 1);
  // The correction of a batch is one batch of the same payout.
  const isBatch = correction !== null && partCount === 1;
  const error = idError(idPrefix, isBatch);
  const shownWait = options.wait ?? waitOf(defaultWaitSeconds(contract?.defaultWaitSeconds, limits));
  const wait = readWait(shownWait, limits);
  const rows = checked && isPayable(checked, file.treatment.payAgain) ? checked : null;
  const isSendable =
    error === null &&
    wait.seconds !== undefined &&
    metadata.every((_, at) => metadataRowError(metadata, at) === null);
  const isEdited = source.way === "paste" && source.text !== (source.original ?? source.text);
  const isWhole = contract && rows && loaded && isSendable;
  const plan: Plan | null = isWhole
    ? {
        contractAddress: contract.address,
        contractLabel: contract.label,
        issuance: contract.issuance,
        pointType: options.pointType,
        secondsToFinalize: wait.seconds,
        idPrefix,
        metadata: Object.fromEntries(metadata.filter(([key]) => key)),
        ...(corrects !== undefined && { corrects }),
        fileName: loaded.name,
        readAs: `${isEdited ? "Rows were edited in New payout. " : ""}${rows.notes[0]}`,
        doubts: rows.doubts,
        notes: [
          ...rows.notes.slice(1),
          ...decisionsOf(rows, file.treatment).flatMap(({ done }) => done || []),
        ],
        rowCount: rows.transferCount,
        points: rows.points,
        parts: rows.parts,
        readRows: (part) => file.checker.ask("rows", part),
      }
    : null;
  return {
    contracts,
    contract,
    options,
    setOptions,
    shownWait,
    metadata,
    setMetadata,
    source,
    setSource,
    file,
    id: { value: idPrefix, error: error ?? undefined, hint: idHint(idPrefix, partCount, isBatch), isBatch },
    setId: setWritten,
    hasRows: rows !== null,
    isSendable,
    plan,
  };
}

/** Receives the focus while no contract is chosen. */
const CONTRACT_FIELD = "contractAddress";

const ISSUANCE_HINTS = {
  PREFUNDED: "Prefunded: it can send only points that it already has.",
  ON_DEMAND: "On demand: missing points are issued automatically.",
} as const satisfies Record<ContractChoice["issuance"], string>;

const waitNote = ({ defaultWaitSeconds }: ContractChoice) =>
  defaultWaitSeconds === null ? "The service’s default." : "The contract’s default.";

const isPayable = (checked: Checked, payAgain: boolean) =>
  checked.questions.length === 0 &&
  checked.badRows === 0 &&
  (checked.paidAlready === null || payAgain) &&
  checked.parts.length <= PARTS_MAX &&
  checked.transferCount > 0;

/**
 * Turns a file into a plan. Submits nothing, and reports everything the server would reject.
 * @param hidden during the review: not unmounted, so that it keeps its contents
 */
function PrepareForm(props: PrepareFormProps & { hidden: boolean; onPlan: (plan: Plan) => void }) {
  const { hidden, onPlan } = props;
  const { limits } = useStaff();
  const made = usePreparation(props);
  const { contracts, contract, options, setOptions, source, setSource, file, id } = made;
  const { loaded } = file;
  const onlyType = typeOf(props.allocation);
  const [unchosen, setUnchosen] = useState(false);
  useLeaveWarning(!hidden && loaded !== null);
  // Forward, after Back from the review: of the rows as they are now, if they can be reviewed.
  useWindowEvent("popstate", () => {
    if (!hidden && location.hash === REVIEW_STEP && made.plan) onPlan(made.plan);
  });

  const editLine = async ({ line, value }: FileError) => {
    if (source.way === "file") {
      const text = await file.editableText();
      if (text === null || !loaded) return;
      // The text area must be rendered before its line can be selected.
      flushSync(() => setSource({ way: "paste", text, name: loaded.name, original: text }));
    }
    selectLine(line, value);
  };
  const review = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (made.plan) return onPlan(made.plan);
    if (contract) return;
    setUnchosen(true);
    const field = event.currentTarget.elements.namedItem(CONTRACT_FIELD);
    if (field instanceof HTMLElement) field.focus();
  };
  return (
    <form
      hidden={hidden}
      onSubmit={review}
      onKeyDown={submitOnKeys}
      noValidate
      className={hidden ? undefined : "flex flex-col gap-6"}
    >
      <div className="grid grid-cols-1 gap-4 md:grid-cols-2">
        <div className="md:col-span-2">
          <SelectField
            label="Contract"
            name={CONTRACT_FIELD}
            hint={contract ? ISSUANCE_HINTS[contract.issuance] : "The contract that sends the points."}
            error={unchosen && options.contractAddress === "" ? "Choose a contract." : undefined}
            chosen={contract ? contracts.indexOf(contract) : null}
            options={contracts.map(({ address, label }) => `${label} · ${shortenHash(address)}`)}
            onChoose={(option) => setOptions({ ...options, contractAddress: contracts[option]!.address })}
          />
        </div>
        <Choices
          legend="Point type"
          name="pointType"
          inline
          options={(onlyType ? [onlyType] : POINT_TYPES).map((type) => ({
            value: type,
            label: TYPE_LABELS[type],
            hint: `At least ${limits.minimumPoints[type]} per transfer`,
          }))}
          chosen={[options.pointType]}
          onChoose={(type) => setOptions({ ...options, pointType: type as PointType })}
        />
        <WaitField
          wait={made.shownWait}
          note={options.wait || !contract ? undefined : waitNote(contract)}
          onChange={(wait) => setOptions({ ...options, wait })}
        />
      </div>
      <MetadataFields rows={made.metadata} onChange={made.setMetadata} />
      <section aria-labelledby="rows" className="flex flex-col gap-3">
        <h2 id="rows" className="font-semibold text-body">
          Transfers
        </h2>
        <Source file={file} source={source} onSource={setSource} />
      </section>
      <ColumnFields file={file} />
      <Decisions file={file} pointType={options.pointType} />
      {/* Also while the rows are checked again: a page that shrinks would scroll away from the user. */}
      <div className={clsx("flex flex-col gap-6", loaded && "min-h-[70dvh]")}>
        <CheckResult
          file={file}
          pointType={options.pointType}
          onLine={loaded?.workbook ? undefined : (row) => void editLine(row)}
        />
        {made.hasRows && (
          <>
            <TextField
              label={id.isBatch ? "Batch ID" : "Payout ID"}
              hint={id.hint}
              error={id.error}
              value={id.value}
              onChange={(event) => made.setId(event.target.value.trim())}
              spellCheck={false}
              className="mono!"
            />
            <Button
              id={REVIEW_ID}
              type="submit"
              variant="primary"
              size="large"
              disabled={!made.isSendable}
              className="self-end"
            >
              Review
            </Button>
          </>
        )}
      </div>
    </form>
  );
}
