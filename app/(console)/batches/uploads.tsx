"use client";
import { useQuery } from "@tanstack/react-query";
import { FileText } from "lucide-react";
import { BulkButtons } from "@/app/(console)/batches/bulk-buttons";
import { continuePath, partsPath } from "@/app/(console)/paths";
import { useStaff } from "@/app/(console)/staff";
import { useTRPC } from "@/app/data/trpc";
import { formatAmount, formatCount } from "@/app/ui/amount";
import { ButtonLink } from "@/app/ui/button";
import { buttonLook } from "@/app/ui/button-look";
import type { PayoutKey, UnfinishedPayout } from "@/server/payouts/schema";
import { batchesOf, personName, TYPE_LABELS } from "./status";

interface UploadNotesProps {
  uploads: readonly UnfinishedPayout[];
  /** Its file is being chosen again on this page. */
  isContinued?: boolean;
}

/** Files of which some batches are still on hold, with what can be done about them. */
export function UploadNotes({ uploads, isContinued = false }: UploadNotesProps) {
  if (uploads.length === 0) return null;
  return (
    <ul aria-label="Unfinished uploads" className="mb-4 flex flex-col gap-2">
      {uploads.map((upload) => (
        <UploadNote key={`${upload.id}${upload.contractAddress}`} upload={upload} isContinued={isContinued} />
      ))}
    </ul>
  );
}

function UploadNote({ upload, isContinued }: { upload: UnfinishedPayout; isContinued: boolean }) {
  const { role } = useStaff();
  const { contractAddress, id, fileName, partCount, stored, cancelled, waiting, points, pointType } = upload;
  const isWhole = stored === partCount;
  return (
    <li className="note border border-line bg-surface">
      <FileText size={14} className="shrink-0 text-muted" />
      <div className="wraps flex-1 basis-60">
        <p>
          <span className="font-medium">{fileName}</span>: {formatCount(stored)} of {batchesOf(partCount)}
          {" submitted by "}
          {personName(upload.submittedBy)}
          {cancelled > 0 && `, ${formatCount(cancelled)} cancelled`}
        </p>
        <p className="hint">
          {isContinued
            ? "Choose the same file again to submit the rest. " +
              "Batches that are already submitted are not submitted again."
            : `${batchesOf(waiting)} on hold and not paid: ${formatAmount(points)} ${TYPE_LABELS[pointType]}`}
        </p>
      </div>
      <span className="flex flex-wrap items-center gap-2">
        <ButtonLink href={partsPath(upload)} size="small" variant="ghost">
          View batches
        </ButtonLink>
        {role !== "viewer" && !isWhole && cancelled === 0 && !isContinued && (
          // The form is filled in when the page loads.
          <a href={continuePath(upload)} className={buttonLook({ size: "small" })}>
            Continue
          </a>
        )}
        {role !== "viewer" && (
          <BulkButtons
            chosen={{ filters: { contractAddress, payoutId: id } }}
            actions={isWhole && cancelled === 0 ? ["release", "cancel"] : ["cancel"]}
          />
        )}
      </span>
    </li>
  );
}

export function UnfinishedUploadNote(payout: PayoutKey) {
  const { data } = useQuery(useTRPC().console.payouts.listUnfinished.queryOptions(payout, { staleTime: 0 }));
  return (
    <div className="px-4 md:px-6">
      <UploadNotes uploads={data ?? []} />
    </div>
  );
}
