"use client";
import { FileText, type LucideIcon, Replace, Undo2 } from "lucide-react";
import type { ReactNode } from "react";
import { BatchIdLink } from "@/app/(console)/batch-link";
import { keyOf, uploadPath } from "@/app/(console)/batches/paths";
import { BulkButtons } from "@/app/(console)/batches/selection/bulk-buttons";
import { personName, TYPE_LABELS } from "@/app/(console)/batches/status";
import { ReversalStatus } from "@/app/(console)/batches/status-badge";
import { useStaff } from "@/app/(console)/staff";
import { Amount, formatCount } from "@/app/ui/amount";
import { Button, ButtonLink } from "@/app/ui/button";
import { formatDuration } from "@/app/ui/format-time";
import { Instant, useServerNow } from "@/app/ui/time";
import type { ApprovalNeed, BatchUpload, ConsoleBatchDetail } from "@/server/batches/list/console-schema";
import type { BatchStatus } from "@/server/kernel/values/batch-terms";
import type { Decision } from "./decision-dialog";
import { Differences, EVENTS } from "./review";

export function StopNote({ batch }: NoteProps) {
  const nowMs = useServerNow(batch.now);
  const { status, heldAt, hold } = batch;
  if (status === "CANCELLED") {
    const { event, by, at, reason } = batch.timeline.at(-1)!;
    return (
      <Stopped look="bg-cancelled-ground text-cancelled" at={at} reason={reason}>
        {EVENTS[event].label}
        {by && ` by ${personName(by)}`}
      </Stopped>
    );
  }
  if (status !== "PENDING" || !heldAt || !hold) return null;
  const seconds = Math.max(0, (nowMs - Date.parse(heldAt)) / 1000);
  return (
    <Stopped look="bg-held-ground text-held" at={heldAt} reason={hold.reason}>
      Put on hold by {personName(hold.by)} {formatDuration(seconds)} ago
    </Stopped>
  );
}

interface StoppedProps {
  look: string;
  at: string;
  reason: string | null | undefined;
  children: ReactNode;
}

function Stopped({ look, at, reason, children }: StoppedProps) {
  return (
    <div className={`wrap-anywhere rounded-control px-3 py-2 text-table ${look}`}>
      <p>
        <span className="font-medium">{children}</span> (
        <Instant at={at} className="whitespace-nowrap tabular-nums" />)
      </p>
      {reason && <p>Reason: {reason}</p>}
    </div>
  );
}

const NEEDS = {
  THRESHOLD: "Its total reaches the contract's approval threshold.",
  DAY: "With it, the contract’s batches of the day that nobody approved reach the daily threshold.",
  REVIEW: "Its review is still running. If it finds nothing unusual, no approval is needed.",
  UNUSUAL: "Its review found something unusual.",
  NOT_REVIEWED: "Its review failed.",
} as const satisfies Record<ApprovalNeed, string>;

interface ApprovalNoteProps {
  batch: ConsoleBatchDetail;
  isViewer: boolean;
  ask: (decision: Decision) => void;
}

export function ApprovalNote({ batch: { approval, submittedBy }, isViewer, ask }: ApprovalNoteProps) {
  if (!approval) return null;
  const mayDecide = approval.obstacle === null && !isViewer;
  return (
    <div className="wrap-anywhere flex flex-wrap items-center gap-3 rounded-control bg-held-ground px-3 py-2 text-held text-table">
      <div className="min-w-0 flex-1 basis-64">
        <p className="font-medium">Awaiting approval</p>
        <p>
          {NEEDS[approval.need]} {approval.obstacle ?? whoDecides(submittedBy)}
        </p>
      </div>
      {mayDecide && (
        <span className="flex gap-2">
          <Button onClick={() => ask("reject")}>Reject…</Button>
          <Button variant="primary" onClick={() => ask("approve")}>
            Approve…
          </Button>
        </span>
      )}
    </div>
  );
}

const whoDecides = (submittedBy: string) =>
  submittedBy.startsWith("staff:")
    ? `Any operator or admin except ${personName(submittedBy)} can approve or reject it.`
    : `Any operator or admin ${submittedBy.startsWith("token:") ? "except the creator of its access token " : ""}can approve or reject it.`;

const SHOWN_MAX = 20;

interface NoteProps {
  batch: ConsoleBatchDetail;
}

/** The batches that this one takes back or replaces, and those that do so to it. */
export function RelatedBatches({ batch }: NoteProps) {
  return (
    <>
      <ReversalNote batch={batch} />
      <CorrectionNote batch={batch} />
    </>
  );
}

function CorrectionNote({ batch }: NoteProps) {
  const { contractAddress, corrects, correctedBy } = batch;
  if (corrects === null && correctedBy.length === 0) return null;
  return (
    <Note name="Correction">
      {corrects !== null && (
        <Line icon={Replace}>
          Corrects <BatchIdLink contractAddress={contractAddress} id={corrects} />{" "}
          <Differences batchKey={keyOf(batch)} withId={corrects} />
        </Line>
      )}
      {correctedBy.length > 0 && (
        <Line icon={Replace}>
          Corrected by{" "}
          {correctedBy.map((id, at) => (
            <span key={id}>
              {at > 0 && ", "}
              <BatchIdLink contractAddress={contractAddress} id={id} />
            </span>
          ))}
        </Line>
      )}
    </Note>
  );
}

/** The batch that this one takes back, and the reversals of this one, each with its own status. */
function ReversalNote({ batch }: NoteProps) {
  const { contractAddress, pointType, reverses, reversals, status, now } = batch;
  if (!reverses && reversals.length === 0) return null;
  const hidden = reversals.length - SHOWN_MAX;
  return (
    <Note name="Reversal">
      {reverses && (
        <Line icon={Undo2}>
          Reversal of <BatchIdLink contractAddress={contractAddress} id={reverses} />. {EFFECTS[status]}
        </Line>
      )}
      {reversals.slice(0, SHOWN_MAX).map((reversal) => (
        <Line key={reversal.id} icon={Undo2}>
          <Amount value={reversal.points} /> {TYPE_LABELS[pointType]}:{" "}
          <ReversalStatus reversal={reversal} asOf={now}>
            <BatchIdLink contractAddress={contractAddress} id={reversal.id} />
          </ReversalStatus>
        </Line>
      ))}
      {hidden > 0 && <Line icon={Undo2}>and {hidden} more</Line>}
    </Note>
  );
}

const EFFECTS = {
  PENDING: "When it is finalized, its points go from the recipients back to the contract.",
  FINALIZING: "Its points are going from the recipients back to the contract.",
  FINALIZED: "Its points went from the recipients back to the contract.",
  CANCELLED: "It was cancelled, so its points stayed with the recipients.",
} as const satisfies Record<BatchStatus, string>;

const Note = ({ name, children }: { name: string; children: ReactNode }) => (
  <section
    aria-label={name}
    className="flex flex-col gap-1.5 rounded-control border border-line bg-surface px-3 py-2 text-table"
  >
    {children}
  </section>
);

const Line = ({ icon: Icon, children }: { icon: LucideIcon; children: ReactNode }) => (
  <div className="flex items-start gap-x-3">
    <Icon aria-hidden size={14} className="mt-[3px] shrink-0 text-muted" />
    <div className="min-w-0 flex-1">{children}</div>
  </div>
);

/** The batch's place in its file, whose parts can be held or cancelled together. */
export function UploadNote({ upload: { id, part, partCount, fileName } }: { upload: BatchUpload }) {
  const { role } = useStaff();
  return (
    <section
      aria-label="Uploaded file"
      className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-control border border-line bg-surface px-3 py-2 text-table"
    >
      <FileText aria-hidden size={14} className="shrink-0 text-muted" />
      <span className="wrap-anywhere min-w-0">
        Part {formatCount(part)} of {formatCount(partCount)} of {fileName}
      </span>
      <span className="ml-auto flex flex-wrap items-center gap-2">
        <ButtonLink href={uploadPath(id)} size="small" variant="ghost">
          View all parts
        </ButtonLink>
        {role !== "viewer" && (
          <>
            <span className="text-label text-muted">All parts:</span>
            <BulkButtons chosen={{ filters: { uploadId: id } }} />
          </>
        )}
      </span>
    </section>
  );
}
