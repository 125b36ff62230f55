"use client";

import { useQuery } from "@tanstack/react-query";
import { type SubmitEvent, useEffect, useState } from "react";
import { flushSync } from "react-dom";
import { proposeWait, readWait, type Wait, waitOf } from "@/app/(console)/batches/fields";
import type { FileError } from "@/app/(console)/batches/new/csv/checked";
import type { Plan } from "@/app/(console)/batches/new/plan/plan";
import { useLeaveWarning } from "@/app/(console)/batches/new/use-leave-warning";
import { useTRPC } from "@/app/data/trpc";
import { Button } from "@/app/ui/button";
import { classNames } from "@/app/ui/class-names";
import { submitOnKeys } from "@/app/ui/fields";
import { formatDay } from "@/app/ui/format-time";
import { useTimeZone } from "@/app/ui/time";
import type { UnfinishedUpload } from "@/server/batches/bulk/schema";
import type { Correction } from "@/server/batches/change/describe-correction";
import type { BatchLimits } from "@/server/kernel/batch-limits";
import { CheckResult } from "./check-result";
import { Decisions } from "./decisions";
import {
  BatchFields,
  type BatchOptions,
  CONTRACT_FIELD,
  ColumnFields,
  type ContractChoice,
  PARTS_MAX,
  proposeReference,
  ReferenceField,
  referenceError,
} from "./fields";
import { PASTED, Source, type SourceState, selectLine } from "./source";
import { useFile } from "./use-file";

/** Receives the focus on return from the review. */
export const REVIEW_ID = "review";

interface PrepareFormProps {
  contracts: readonly ContractChoice[];
  /** Address of the contract that is chosen at first. */
  wanted: string | null;
  limits: BatchLimits;
  asOf: string;
  draft: Draft | null;
  /** Hidden, not unmounted, during the review: it keeps its contents. */
  hidden: boolean;
  onPlan: (plan: Plan) => void;
}

/** Turns a file into a plan. Submits nothing, and reports everything the server would reject. */
export function PrepareForm({
  contracts: all,
  wanted,
  limits,
  asOf,
  draft,
  hidden,
  onPlan,
}: PrepareFormProps) {
  const { zone } = useTimeZone();
  const contracts = draft?.corrects
    ? all.filter(({ address }) => address === draft.options.contractAddress)
    : all;
  const onlyOne = contracts.length === 1 ? contracts[0] : undefined;
  const [options, setOptions] = useState<BatchOptions>(
    draft?.options ?? {
      // With several contracts the user must choose: the sender is never guessed.
      contractAddress: (contracts.find(({ address }) => address === wanted) ?? onlyOne)?.address ?? "",
      pointType: "PHASE2_POINTS",
      wait: null,
    },
  );
  const [source, setSource] = useState<SourceState>({ way: "file", text: "", name: PASTED });
  const [written, setWritten] = useState(draft?.reference ?? null);
  const file = useFile({ ...options, limits });
  const [unchosen, setUnchosen] = useState(false);
  useLeaveWarning(!hidden && file.loaded !== null);
  const { read } = file;
  useEffect(() => {
    if (draft?.file) void read(draft.file, draft.file.name, undefined, "1,234.56");
  }, [draft, read]);

  const { loaded, checked } = file;
  const reference = written ?? (loaded ? proposeReference(loaded.name, formatDay(Date.now(), zone)) : "");
  const proposedWait = useProposedWait(options.contractAddress, limits);
  const shownWait = options.wait ?? proposedWait;
  const wait = readWait(shownWait, limits);
  const partCount = Math.max(1, checked?.parts.length ?? 1);
  const error = referenceError(reference, partCount);
  const isValid =
    checked !== null &&
    checked.questions.length === 0 &&
    checked.badRows === 0 &&
    checked.transferCount > 0 &&
    partCount <= PARTS_MAX;

  const editLine = async ({ line, value }: FileError) => {
    if (source.way === "file") {
      const text = await file.editableText();
      if (text === null || !loaded) return;
      // The text area must be rendered before its line can be selected.
      flushSync(() => setSource({ way: "paste", text, name: loaded.name }));
    }
    selectLine(line, value);
  };
  const review = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const contract = contracts.find(({ address }) => address === options.contractAddress);
    if (!contract) {
      setUnchosen(true);
      const field = event.currentTarget.elements.namedItem(CONTRACT_FIELD);
      if (field instanceof HTMLElement) field.focus();
      return;
    }
    if (!isValid || !loaded || error || "error" in wait) return;
    onPlan({
      contractAddress: contract.address,
      contractLabel: contract.label,
      issuance: contract.issuance,
      pointType: options.pointType,
      secondsToFinalize: wait.seconds,
      reference,
      ...(draft?.corrects !== undefined && { corrects: draft.corrects }),
      fileName: loaded.name,
      rowCount: checked.transferCount,
      points: checked.points,
      parts: checked.parts,
      readRows: (part) => file.checker.ask("rows", { part }),
    });
  };
  return (
    <form
      hidden={hidden}
      onSubmit={review}
      onKeyDown={submitOnKeys}
      noValidate
      className={hidden ? undefined : "flex flex-col gap-6"}
    >
      <BatchFields
        contracts={contracts}
        limits={limits}
        asOf={asOf}
        options={options}
        wait={shownWait}
        unchosen={unchosen && options.contractAddress === ""}
        onChange={(change) => setOptions({ ...options, ...change })}
      />
      <section aria-labelledby="rows" className="flex flex-col gap-3">
        <h2 id="rows" className="font-semibold text-body">
          Transfers
        </h2>
        <Source file={file} source={source} onSource={setSource} />
      </section>
      <ColumnFields file={file} />
      <Decisions file={file} pointType={options.pointType} />
      {/* Also while the rows are checked again: a page that shrinks would scroll away from where the user types. */}
      <div className={classNames("flex flex-col gap-6", loaded && "min-h-[70dvh]")}>
        <CheckResult
          file={file}
          pointType={options.pointType}
          transfersMax={limits.transfersMax}
          onLine={loaded?.workbook ? undefined : (row) => void editLine(row)}
        />
        {isValid && (
          <>
            <ReferenceField reference={reference} partCount={partCount} error={error} onChange={setWritten} />
            <Button
              id={REVIEW_ID}
              type="submit"
              variant="primary"
              size="large"
              disabled={error !== null || "error" in wait}
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

function useProposedWait(contractAddress: string, limits: BatchLimits): Wait {
  const { data } = useQuery(
    useTRPC().console.batches.list.queryOptions(
      { contractAddress, limit: 1 },
      { enabled: contractAddress !== "", staleTime: Number.POSITIVE_INFINITY },
    ),
  );
  return proposeWait(data?.batches[0], limits);
}

export interface Draft {
  options: BatchOptions;
  reference: string;
  /** ID of the cancelled batch that it corrects; only its contract can be chosen. */
  corrects: string | undefined;
  file: File | null;
}

export function draftOfCorrection(correction: Correction): Draft {
  const { corrects, contractAddress, pointType, waitSeconds, transfers, batchId } = correction;
  // In the service's own format, so that the file needs no choices.
  const rows = transfers.map(({ toAddress, points }) => `${toAddress},${points}\n`);
  return {
    options: { contractAddress, pointType, wait: waitOf(waitSeconds) },
    reference: batchId,
    corrects,
    file: new File(["to_address,points\n", ...rows], `${corrects}.csv`),
  };
}

/** Fills in what the stored batches of a file were submitted with. The file itself has to be chosen again. */
export function draftOfUpload(upload: UnfinishedUpload): Draft {
  const { contractAddress, pointType, waitSeconds, firstId, corrects } = upload;
  return {
    options: { contractAddress, pointType, wait: waitOf(waitSeconds) },
    reference: firstId.replace(/\.\d+$/, ""),
    corrects: corrects ?? undefined,
    file: null,
  };
}
